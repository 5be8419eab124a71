import assert from 'node:assert/strict';
import { broken } from './support/axe';
import { eachInItsOwnDocument, eachInItsOwnView, type View } from './support/view';

const FLOW = 'flowchart LR\n  A[First] --> B{Second} -->|maybe| C[(Third)]';
const SEQUENCE = 'sequenceDiagram\n  accTitle: A greeting\n  accDescr: Ada greets Bob.\n  Ada->>Bob: Hello';
const WIDE = `flowchart LR\n${Array.from({ length: 12 }, (_each, index) => `  n${index}[Node ${index}] --> n${index + 1}[Node ${index + 1}]`).join('\n')}`;

const fenced = (code: string) => `\`\`\`mermaid\n${code}\n\`\`\`\n`;

describe('diagrams', function () {
  this.timeout(90_000);

  let view: View;
  let flow: string;

  const say = (text: string, messageId = 'm1') =>
    view.happen({ type: 'message', role: 'agent', messageId, content: [{ type: 'text', text }] });
  const block = () => view.page.getByRole('group', { name: 'Diagram' });
  const image = () => block().getByRole('img');
  const loaded = () =>
    view.page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('.diagram-image')].some((each) => each.complete && each.naturalWidth > 0),
    );
  /** From now on, keeps the page's pictures as the browser reads them. */
  const keepPictures = () =>
    view.page.evaluate(() => {
      const kept = ((window as unknown as { pictures: { address: string; blob: Blob }[] }).pictures = []) as {
        address: string;
        blob: Blob;
      }[];
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob: Blob) => {
        const address = make(blob);
        if (blob.type === 'image/svg+xml') {
          kept.push({ address, blob });
        }
        return address;
      };
    });
  const lastPicture = () => view.page.evaluate(() => (window as unknown as { pictures: { blob: Blob }[] }).pictures.at(-1)!.blob.text());

  // The drawing worker is started once for these tests.
  describe('in any session', () => {
    let sessions = 0;
    eachInItsOwnView((opened) => {
      view = opened;
      // Drawn diagrams are cached per document, so each test needs a new source.
      flow = `${FLOW}\n  %% ${++sessions}`;
    });

    it('is named by its own accessible title', async () => {
      await say(fenced(SEQUENCE));
      await loaded();
      assert.equal(await image().getAttribute('alt'), 'A greeting. Ada greets Bob.');
    });

    it('shows its source, also by keyboard, and copies it either way', async () => {
      await say(fenced(flow));
      await loaded();
      await block().getByRole('button', { name: 'Copy' }).click();
      const toggle = block().getByRole('button', { name: 'Source' });
      await toggle.focus();
      await view.page.keyboard.press('Enter');
      assert.equal(await view.page.locator('.code-text').innerText(), flow);
      assert.equal(await image().count(), 0);
      await block().getByRole('button', { name: 'Wrap lines' }).waitFor();
      await block().getByRole('button', { name: 'Copy' }).click();
      assert.equal(await view.page.evaluate(() => document.activeElement?.textContent), '', 'the copy button has the focus');
      await block().getByRole('button', { name: 'Diagram' }).click();
      await loaded();
      assert.deepEqual(
        (await view.posted('copy')).map((message) => message.text),
        [flow, flow],
      );
    });

    it('shows its source while it contains a match of Find', async () => {
      await say(fenced(flow));
      await loaded();
      await view.send({ type: 'open_find' });
      await view.page.getByRole('searchbox', { name: 'Find in conversation' }).fill('-->|maybe|');
      await view.page.waitForFunction(() => CSS.highlights.get('acp-find-current')?.size === 1);
      assert.equal(await image().count(), 0);
      await view.page.keyboard.press('Escape');
      await loaded();
    });

    it('is shown at full size when it was shrunk, and can be scrolled by keyboard', async () => {
      await say(fenced(WIDE));
      await loaded();
      const fit = (await image().boundingBox())!;
      assert.ok(fit.width < 800);
      await block().getByRole('button', { name: 'Actual size', pressed: false }).click();
      const actual = (await image().boundingBox())!;
      assert.ok(actual.width > 2 * fit.width, `${actual.width}`);
      await view.page.locator('.diagram-actual').focus();
      await view.page.keyboard.press('ArrowRight');
      await view.page.waitForFunction(() => document.querySelector('.diagram-actual')!.scrollLeft > 0);
      assert.deepEqual(await broken(view), []);
      await image().click();
      await block().getByRole('button', { name: 'Actual size', pressed: false }).waitFor();
      assert.equal((await image().boundingBox())!.width, fit.width);
    });

    it('keeps its size in a narrow page, where it scrolls by keyboard', async () => {
      await view.page.setViewportSize({ width: 300, height: 600 });
      await say(fenced(flow));
      await loaded();
      await view.painted();
      const { width, own, scrolls } = await image().evaluate((element) => ({
        width: element.getBoundingClientRect().width,
        own: Number(element.getAttribute('width')),
        scrolls: element.parentElement!.scrollWidth > element.parentElement!.clientWidth,
      }));
      assert.ok(width >= Math.min(own, 640) && own > 300 && scrolls, `${width} of ${own} px`);
      assert.ok(await view.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await view.page.locator('.diagram').focus();
      await view.page.keyboard.press('ArrowRight');
      await view.page.waitForFunction(() => document.querySelector('.diagram')!.scrollLeft > 0);
    });

    it('omits its size button at full size', async () => {
      await say(fenced('flowchart LR\n A --> B'));
      await loaded();
      await view.painted();
      assert.equal(await block().getByRole('button', { name: 'Actual size' }).count(), 0);
    });

    it('stays text while it is written', async () => {
      await view.happen({ type: 'turn_started', turnId: 't1' });
      await view.happen({
        type: 'message_chunk',
        role: 'agent',
        messageId: 'm1',
        content: { type: 'text', text: `Look:\n\n\`\`\`mermaid\n${flow}` },
      });
      assert.equal(await view.page.locator('.code-text').innerText(), flow);
      assert.equal(await block().count(), 0);
      await view.happen({ type: 'message_chunk', role: 'agent', messageId: 'm1', content: { type: 'text', text: '\n```\n\nAnd' } });
      await loaded();
      const address = await image().getAttribute('src');
      await view.happen(
        { type: 'message_chunk', role: 'agent', messageId: 'm1', content: { type: 'text', text: ' so on.\n\n- more\n\n- and more\n' } },
        { type: 'turn_ended', turnId: 't1', stopReason: 'end_turn' },
      );
      await view.page.getByText('and more', { exact: true }).waitFor();
      assert.equal(await image().getAttribute('src'), address, 'it is not drawn again');
    });

    it('stays text with the reason when it cannot be drawn', async () => {
      await say(fenced('flowchart LR\n A --> --> {\n<img src=x>'));
      await view.page.locator('.diagram-note').waitFor();
      assert.match(await view.page.locator('.diagram-note').innerText(), /^Can't render the diagram: Parse error on line 2$/);
      assert.match(await view.page.locator('.code-text').innerText(), /A --> --> \{/);
      assert.equal(await block().getByRole('button', { name: 'Source' }).count(), 0);
      assert.deepEqual(await broken(view), []);
      // The next one is drawn.
      await say(fenced(flow), 'm2');
      await loaded();
    });

    it('has space for every type', async () => {
      const all = {
        classDiagram: 'classDiagram\n Animal <|-- Duck\n Duck : +swim()',
        stateDiagram: 'stateDiagram-v2\n [*] --> Still\n Still --> [*]',
        erDiagram: 'erDiagram\n CUSTOMER ||--o{ ORDER : places',
        gantt: 'gantt\n dateFormat YYYY-MM-DD\n A task :a1, 2026-01-01, 30d',
        pie: 'pie\n "Dogs" : 3\n "Cats" : 1',
        gitGraph: 'gitGraph\n commit\n branch x\n commit',
        mindmap: 'mindmap\n root\n  one\n  two',
        architecture: 'architecture-beta\n service db(database)[Database]\n service s(server)[Server]\n db:L -- R:s',
        c4: 'C4Context\n Person(a, "Ada")\n System(b, "Bank")\n Rel(a, b, "Uses")',
        journey: 'journey\n title Day\n section Go\n  Tea: 5: Me',
        timeline: 'timeline\n 2002 : LinkedIn',
        xychart: 'xychart-beta\n bar [1, 2]',
        kanban: 'kanban\n  Todo\n    [Write]',
      };
      for (const [name, code] of Object.entries(all)) {
        await view.page.evaluate(() => window.playground.stage.restart());
        await view.ready();
        await say(fenced(code), name);
        await view.page.locator('.diagram-image, .diagram-note').waitFor();
        assert.deepEqual(await view.page.locator('.diagram-note').allInnerTexts(), [], name);
        await loaded();
      }
    });
  });

  describe('in a document', () => {
    let scripts: string[];
    eachInItsOwnDocument((opened) => {
      view = opened;
      flow = FLOW;
      scripts = [];
      view.page.on('request', (request) => scripts.push(request.url()));
    });

    it('is drawn, named by its type, and shown as a picture', async () => {
      await keepPictures();
      await say(fenced(flow));
      await loaded();
      assert.equal(await image().getAttribute('alt'), 'Diagram: flowchart');
      assert.match((await image().getAttribute('src'))!, /^blob:/);
      const svg = await lastPicture();
      for (const word of ['First', 'Second', 'Third', 'maybe']) {
        assert.ok(svg.includes(`>${word}<`), word);
      }
      // The box of the first node is at its text.
      const size = (await image().boundingBox())!;
      assert.ok(size.width > 300 && size.height > 50, JSON.stringify(size));
      assert.equal(await view.page.locator('.code-text').count(), 0);
    });

    it('takes the colours of the theme, also after a change', async () => {
      await keepPictures();
      await say(fenced(flow));
      await loaded();
      assert.ok((await lastPicture()).includes('#1f1f1f'), 'the background of the dark theme');
      const dark = await image().getAttribute('src');
      await view.page.evaluate(() => window.playground.applyTheme('light'));
      await view.page.waitForFunction((before) => document.querySelector<HTMLImageElement>('.diagram-image')!.src !== before, dark);
      const svg = await lastPicture();
      assert.ok(svg.includes('#ffffff') && !svg.includes('#1f1f1f'));
    });

    it('frees the memory of a removed picture', async () => {
      await view.page.evaluate(() => {
        const revoke = URL.revokeObjectURL.bind(URL);
        const revoked = ((window as unknown as { revoked: string[] }).revoked = []) as string[];
        URL.revokeObjectURL = (address) => {
          revoked.push(address);
          revoke(address);
        };
      });
      await say(fenced(flow));
      await loaded();
      const address = await image().getAttribute('src');
      await block().getByRole('button', { name: 'Source' }).click();
      await view.page.locator('.code-text').waitFor();
      assert.ok((await view.page.evaluate(() => (window as unknown as { revoked: string[] }).revoked)).includes(address!));
    });

    it('loads nothing before a diagram is near the screen, and draws no distant one', async () => {
      const before = scripts.length;
      const gap = Array.from({ length: 80 }, (_each, index) => `Line ${index}`).join('\n\n');
      await say(`${fenced(flow)}\n${gap}\n`);
      await view.page.getByText('Line 79', { exact: true }).waitFor();
      await view.page.waitForFunction(() => document.querySelector('.log')!.getBoundingClientRect().bottom < innerHeight + 200);
      await view.painted();
      assert.deepEqual(
        scripts.slice(before).filter((url) => url.includes('mermaid')),
        [],
      );
      await view.page.evaluate(() => document.querySelector('.code')!.scrollIntoView());
      await loaded();
      assert.ok(scripts.some((url) => url.includes('mermaidWorker')));
    });

    it('keeps its height and is shown at once when it is scrolled back to', async () => {
      await say(fenced(flow));
      await loaded();
      const height = (await block().boundingBox())!.height;
      // Opens the same conversation in a new page.
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.ready();
      await block().waitFor({ state: 'detached' });
      const first = await view.page.evaluate(
        (text) =>
          new Promise<{ source: boolean; height: number }>((resolve) => {
            new MutationObserver((_records, observer) => {
              const found = document.querySelector('[role=group][aria-label=Diagram]');
              if (!found) {
                return;
              }
              observer.disconnect();
              resolve({ source: found.querySelector('.code-text') !== null, height: found.getBoundingClientRect().height });
            }).observe(document.body, { childList: true, subtree: true });
            window.playground.stage.happen({ type: 'message', role: 'agent', messageId: 'again', content: [{ type: 'text', text }] });
          }),
        fenced(flow),
      );
      assert.deepEqual(first, { source: false, height });
    });

    it('does not move the text in view when a diagram above it is drawn', async () => {
      const gap = (name: string) => Array.from({ length: 14 }, (_each, index) => `${name} ${index}`).join('\n\n');
      await say(`${gap('Above')}\n\n${fenced(SEQUENCE)}\n${gap('Below')}\n\n${gap('Far')}\n\n${gap('End')}\n`);
      const line = view.page.getByText('Below 8', { exact: true });
      // The diagram is just above the screen: near enough to be drawn.
      await line.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const before = (await line.boundingBox())!.y;
      await view.page.waitForFunction(() => document.querySelector('.diagram-image') !== null);
      await view.painted();
      assert.ok(Math.abs((await line.boundingBox())!.y - before) < 2);
    });

    it('leaves the page unchanged: no element, style or name of its own', async () => {
      const looks = () =>
        view.page.evaluate(() => ({
          styles: document.querySelectorAll('style, link[rel=stylesheet]').length,
          children: document.body.children.length,
          ids: [...document.querySelectorAll('body [id]')].map((element) => element.id),
          sheets: document.adoptedStyleSheets.length,
        }));
      await say('```ts\nlet a;\n```');
      await view.page.locator('.code-text [class^=hl-]').first().waitFor();
      const before = await looks();
      await say(fenced(flow), 'm2');
      await loaded();
      assert.deepEqual(await looks(), before);
    });
  });
});
