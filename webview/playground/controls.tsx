/** The playground's bar: selects the session or recording, the speed, the position, the theme and the width. Outside the view's root. */
import { useEffect, useState } from 'preact/hooks';
import type { SessionEvent } from '../../src/core/model/event';
import { galleryEvents } from './gallery';
import { type Player, parseJournal } from './player';
import type { Stage } from './stage';
import { syntheticEvents } from './synthetic';
import { THEMES } from './themes';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 20, 100, Infinity];
/** CSS pixels; '' is the full width. */
const WIDTHS = { 'full width': '', '900 px': '900px', '480 px': '480px', '320 px': '320px' };
const GALLERY = 'Gallery';
/** The number of turns by label; a turn has ten entries. */
const SYNTHETIC: Readonly<Record<string, number>> = { '1,000 entries': 100, '10,000 entries': 1000 };

interface Props {
  readonly player: Player;
  readonly stage: Stage;
  /** Keys of the sessions to switch between; recordings are played in the first one. */
  readonly sessions: readonly string[];
  readonly switchTo: (key: string) => void;
  /** Returns a journal's text by its name. */
  readonly load: (name: string) => Promise<string>;
  readonly names: readonly string[];
  readonly journal: string | undefined;
  readonly speed: number;
  readonly theme: string;
  readonly setTheme: (name: string) => void;
  readonly setWidth: (width: string) => void;
}

export function Controls({
  player,
  stage,
  sessions,
  switchTo,
  load,
  names,
  journal,
  speed: initialSpeed,
  theme,
  setTheme,
  setWidth,
}: Props) {
  const [, changed] = useState(0);
  const [speed, setSpeed] = useState(initialSpeed);
  const [source, setSource] = useState(journal ?? GALLERY);
  const [note, setNote] = useState('');
  useEffect(() => {
    player.onChange = () => changed((count) => count + 1);
    void show(source);
  }, []);

  const play = (events: readonly SessionEvent[], name: string) => {
    setSource(name);
    setNote(events.length === 0 ? `Nothing to play in ${name}. A protocol log is played by: npm run playground -- ${name}` : '');
    player.play(events, speed);
  };
  const show = async (name: string) => {
    if (name === GALLERY) {
      player.play([], speed);
      stage.events(galleryEvents(Date.now()));
      setSource(name);
      return setNote('');
    }
    const turns = SYNTHETIC[name];
    play(turns === undefined ? parseJournal(await load(name)) : syntheticEvents(turns), name);
  };
  const open = async (file: File | undefined) => {
    if (file) {
      play(parseJournal(await file.text()), file.name);
    }
  };
  const sources = [GALLERY, ...names, ...Object.keys(SYNTHETIC)];

  return (
    <div
      class="playground-bar"
      role="toolbar"
      aria-label="Playground"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <select aria-label="Session" onChange={(event) => switchTo(event.currentTarget.value)}>
        {sessions.map((key) => (
          <option key={key}>{key}</option>
        ))}
      </select>
      <select aria-label="What to show" value={source} onChange={(event) => void show(event.currentTarget.value)}>
        {[...sources, ...(sources.includes(source) ? [] : [source])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label class="playground-file">
        Open…
        <input
          type="file"
          accept=".jsonl,.json,.ndjson"
          aria-label="Open a journal"
          onChange={(event) => void open(event.currentTarget.files?.[0])}
        />
      </label>
      <button type="button" disabled={player.length === 0} onClick={() => player.seek(0)}>
        Restart
      </button>
      <button type="button" disabled={player.length === 0} onClick={() => (player.playing ? player.pause() : player.resume())}>
        {player.playing ? 'Pause' : 'Play'}
      </button>
      <button type="button" disabled={player.place >= player.length} onClick={() => player.step()}>
        Step
      </button>
      <input
        type="range"
        aria-label="Place"
        min={0}
        max={player.length}
        value={player.place}
        disabled={player.length === 0}
        onInput={(event) => player.seek(Number(event.currentTarget.value))}
      />
      <output>{player.length > 0 && `${player.place} / ${player.length}`}</output>
      <select
        aria-label="Speed"
        value={String(speed)}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value);
          setSpeed(chosen);
          player.setSpeed(chosen);
        }}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={String(each)}>
            {Number.isFinite(each) ? `${each}×` : 'at once'}
          </option>
        ))}
      </select>
      <select aria-label="Theme" value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        {THEMES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <select aria-label="Width" onChange={(event) => setWidth(event.currentTarget.value)}>
        {Object.entries(WIDTHS).map(([name, width]) => (
          <option key={name} value={width}>
            {name}
          </option>
        ))}
      </select>
      {note !== '' && <span role="status">{note}</span>}
    </div>
  );
}
