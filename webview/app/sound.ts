/**
 * Two short synthesized tones, so that no file is loaded. There is no sound if the browser forbids it before the user has interacted with the page.
 */

type Sound = 'finished' | 'needsYou';

/** Hz, one after the other: falling for finished, rising for a question. */
const TONES: Readonly<Record<Sound, readonly number[]>> = { finished: [660, 440], needsYou: [660, 880] };
const TONE_S = 0.12;
const VOLUME = 0.08;

let audio: AudioContext | undefined;

export function playSound(sound: Sound): void {
  audio ??= new AudioContext();
  void audio.resume().catch(() => undefined);
  const start = audio.currentTime + 0.02;
  TONES[sound].forEach((frequency, index) => playTone(audio!, frequency, start + index * TONE_S));
}

function playTone(context: AudioContext, frequency: number, at: number): void {
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = frequency;
  // Without a fade the tone clicks at its start and end.
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(VOLUME, at + 0.02);
  volume.gain.linearRampToValueAtTime(0, at + TONE_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + TONE_S);
}
