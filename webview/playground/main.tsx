/**
 * The view in a plain page. `?gallery` shows every kind of entry, `?journal=NAME&speed=N` plays a recorded session, `?bare` waits for a test.
 * `&theme=dark|light|hc|hc-light` sets the colours. `window.playground` is for tests and for looking around.
 */
import { render } from 'preact';
import { mount } from '../app';
import { MemoryHost } from '../host';
import { loadWords } from '../l10n';
import { CODE_THEMES } from './codeThemes';
import { galleryEvents } from './gallery';
import { Player, parseJournal } from './player';
import { Stage } from './stage';
import { THEMES, adoptPageSheet, applyTheme } from './themes';

const query = new URLSearchParams(location.search);
const STORAGE = 'playground.view';

const host: MemoryHost = new MemoryHost((message) => stage.receive(message), {
  read: () => JSON.parse(sessionStorage.getItem(STORAGE) ?? 'null') as unknown,
  write: (state) => sessionStorage.setItem(STORAGE, JSON.stringify(state)),
});
const stage: Stage = new Stage((message) => host.deliver(JSON.parse(JSON.stringify(message)) as typeof message), () => Date.now());
const player = new Player(stage);

declare global {
  interface Window {
    playground: { stage: Stage; player: Player; applyTheme: typeof showTheme };
  }
}
window.playground = { stage, player, applyTheme: showTheme };

loadWords(document.getElementById('acp-l10n')?.textContent);
adoptPageSheet();
showTheme(query.get('theme') ?? 'dark');
const root = document.createElement('div');
document.body.append(root);
mount(root, host);
stage.send({ type: 'page', folderName: 'sample', multiRoot: false });
stage.send({ type: 'editor', fileName: 'greet.ts' });

if (query.has('gallery')) stage.events(galleryEvents(Date.now()));
if (!query.has('bare')) showControls();
const journal = query.get('journal');
if (journal) void playJournal(journal, Number(query.get('speed') ?? 1));

/** As VS Code changes the page, and as the host tells it of the code's colours. */
function showTheme(name: string): void {
  applyTheme(name);
  const theme = CODE_THEMES[name];
  stage.send({ type: 'code_theme', ...(theme && { theme }) });
}

async function playJournal(name: string, speed: number): Promise<void> {
  const response = await fetch(`journals/${encodeURIComponent(name)}.jsonl`);
  player.play(parseJournal(await response.text()), speed);
}

/** A bar of its own, outside the view's root. */
function showControls(): void {
  const bar = document.createElement('div');
  bar.className = 'playground-controls';
  document.body.append(bar);
  render(<Controls />, bar);
}

function Controls() {
  const play = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void playJournal(String(form.get('journal')), Number(form.get('speed')));
  };
  return (
    <form onSubmit={play}>
      <select aria-label="Theme" onChange={(event) => showTheme(event.currentTarget.value)}>
        {THEMES.map((theme) => (
          <option key={theme}>{theme}</option>
        ))}
      </select>
      <button
        type="button"
        onClick={() => {
          player.stop();
          stage.restart();
          stage.events(galleryEvents(Date.now()));
        }}
      >
        Gallery
      </button>
      <input name="journal" aria-label="Journal" value="journey" size={10} />
      <select name="speed" aria-label="Speed">
        <option value="1">1×</option>
        <option value="4">4×</option>
        <option value="20">20×</option>
        <option value="Infinity">at once</option>
      </select>
      <button>Play</button>
    </form>
  );
}
