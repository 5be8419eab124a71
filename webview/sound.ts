/** Two short tones, made here: no file is loaded. Where the browser lets a page make no sound before it was touched, there is none. */

type Sound = 'finished' | 'needsYou';

/** Hz, one after the other: falling when it is over, rising when it asks. */
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
  // Without a slope a tone cracks where it begins and ends.
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(VOLUME, at + 0.02);
  volume.gain.linearRampToValueAtTime(0, at + TONE_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + TONE_S);
}
