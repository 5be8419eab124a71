import assert from 'node:assert/strict';
import { View } from './support/view';

const RUN = 'window.hacked=1';
const EVIL = 'https://evil.example';

/** Named by the attack. */
const HOSTILE: Readonly<Record<string, string>> = {
  'a click that runs': `flowchart LR\n A-->B\n click A "javascript:${RUN}"`,
  'a click that calls': `flowchart LR\n A-->B\n click A call alert(1)\n click B ${'callback'}`,
  'a click that goes elsewhere': `flowchart LR\n A-->B\n click A href "${EVIL}" _top`,
  'a link in a sequence': `sequenceDiagram\n participant A\n link A: Go @ javascript:${RUN}\n links A: {"x": "${EVIL}"}\n A->>A: x`,
  'a link in a class': `classDiagram\n class A\n link A "javascript:${RUN}" "tip"\n click A href "${EVIL}"`,
  'a link in a plan': `gantt\n dateFormat YYYY-MM-DD\n A :a, 2026-01-01, 3d\n click a href "javascript:${RUN}"\n click a call alert()`,
  'an image that fails': `flowchart LR\n A["<img src=x onerror=${RUN}>"] --> B["<img src='${EVIL}/x.png'>"]`,
  'a script in a label': `flowchart LR\n A["<script>${RUN}</script>"]`,
  'an SVG in a label': `flowchart LR\n A["<svg onload=${RUN}><script>${RUN}</script></svg>"]`,
  'a frame in a label': `flowchart LR\n A["<iframe srcdoc='<script>parent.${RUN}</script>'></iframe>"]`,
  'entities in a label': `flowchart LR\n A["#lt;img src=x onerror=${RUN}#gt; &lt;script&gt;${RUN}&lt;/script&gt;"]`,
  'HTML in a note': `sequenceDiagram\n Note over A: <img src=x onerror=${RUN}><style>*{display:none}</style>`,
  'HTML in markdown':
    'flowchart LR\n A["`<img src=x onerror=window.hacked=1> [x](javascript:window.hacked=1) ![y](https://evil.example/y.png)`"]',
  'HTML in a title': `pie title </title><script>${RUN}</script>\n "<img src=x onerror=${RUN}>" : 1`,
  'an end of the style': `flowchart LR\n A:::x\n classDef x fill:red</style><script>${RUN}</script>`,
  'a rule of its own': `flowchart LR\n A:::x\n classDef x fill:red} body{display:none} .y{fill:red`,
  'a picture in a class': `flowchart LR\n A:::x\n classDef x fill:url(${EVIL}/f),background:url(${EVIL}/b)\n style A fill:url(${EVIL}/s)`,
  'a picture behind a sequence': `sequenceDiagram\n rect url(${EVIL}/x.png)\n A->>B: x\n end`,
  'a picture in the style of C4': `C4Context\n Person(a, "A", "d")\n UpdateElementStyle(a, $bgColor="url(${EVIL}/x)", $fontColor="red;}body{display:none", $borderColor="url('${EVIL}')")`,
  'a picture in a mind map': `mindmap\n root\n  a\n  ::icon(${EVIL}/x)\n  :::x;}body{}`,
  'a picture in a point': `quadrantChart\n P: [0.1, 0.2] color: #ff0000, stroke-color: url(${EVIL})`,
  'an escaped address': `flowchart LR\n A\n style A fill:u\\72l(${EVIL}),stroke:url\\28${EVIL}\\29`,
  'an import by theme': `%%{init: {"themeCSS": "@import '${EVIL}/x.css'; body{display:none} *{background:url(${EVIL})}"}}%%\nflowchart LR\n A`,
  'an import by font': `%%{init: {"fontFamily": "x; } @import url(${EVIL}/x.css); * { background: url(${EVIL})", "themeVariables": {"fontFamily": "y;}@import '${EVIL}'", "lineColor": "url(${EVIL})"}}}%%\nflowchart LR\n A-->B`,
  'looser settings': `%%{init: {"securityLevel": "loose", "secure": [], "htmlLabels": true, "flowchart": {"htmlLabels": true}, "startOnLoad": true, "maxTextSize": 9999999}}%%\nflowchart LR\n A["<img src=x onerror=${RUN}>"]\n click A call alert()`,
  'looser settings in front': `---\nconfig:\n  securityLevel: sandbox\n  htmlLabels: true\n  layout: elk\n  look: handDrawn\n  themeCSS: "@import url(${EVIL})"\n---\nflowchart LR\n A["<b onclick='${RUN}'>x</b>"]`,
  'a sandbox': `%%{init: {"securityLevel": "sandbox"}}%%\nsequenceDiagram\n A->>B: x`,
  'no sanitiser': `%%{init: {"dompurifyConfig": {"ADD_TAGS": ["script", "iframe"], "ADD_ATTR": ["onerror"]}}}%%\nflowchart LR\n A["<script>${RUN}</script>"]`,
  'everybody’s prototype': `%%{init: {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "flowchart": {"__proto__": {"polluted": 1}}}}%%\nflowchart LR\n __proto__ --> constructor --> hasOwnProperty --> toString`,
  'a prototype in front': `---\nconfig:\n  __proto__:\n    polluted: 1\n  constructor:\n    prototype:\n      polluted: 1\n---\nflowchart LR\n A`,
  'names of the page': `flowchart LR\n body --> head --> document --> composer-hint --> app --> cookie --> getElementById\n style body fill:red`,
  'names of the document':
    'classDiagram\n class window\n class document\n class __proto__\n window <|-- document\n document <|-- __proto__',
  'an icon from elsewhere': `architecture-beta\n service a(${'logos:evil'})[A]\n service b("<img src=x onerror=${RUN}>")[B]`,
  'a picture as a node': `flowchart LR\n A@{ img: "${EVIL}/x.png", label: "x" } --> B@{ img: "javascript:${RUN}", icon: "fa:x" }`,
  'a font awesome': `flowchart LR\n A["fa:fa-x fab:fa-<script>${RUN}</script>"]`,
  'a formula': 'flowchart LR\n A["$$\\\\href{javascript:window.hacked=1}{x}$$"]',
  'a picture in C4': `C4Context\n Person(a, "<script>${RUN}</script>", "d", $sprite="${EVIL}/x.png", $link="javascript:${RUN}")`,
  'a description': `flowchart LR\n accTitle: </title><script>${RUN}</script>\n accDescr { " onerror="${RUN}" x=" </desc><img src=x onerror=${RUN}> }\n A`,
  'words that turn around': 'flowchart LR\n A["\u202egpj.exe\u202c \u2066x\u2069"]\n accTitle: \u202egpj.exe',
  'what XML cannot hold': 'flowchart LR\n A["\u0000\u0001\u000b\ud800 \ufffe x"]',
  'many edges': `flowchart LR\n ${Array.from({ length: 60 }, (_each, index) => `a${index}`).join(' & ')} --> ${Array.from({ length: 60 }, (_each, index) => `b${index}`).join(' & ')}`,
  'too long a text': `flowchart LR\n A["${'x'.repeat(30_000)}"]`,
  'brackets all the way down': `flowchart LR\n A${'['.repeat(15_000)}`,
  'settings all the way down': `%%{init: ${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}}%%\nflowchart LR\n A`,
  'a billion laughs': `---\na: &a ["l","l","l","l","l","l","l"]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d]\nconfig:\n  flowchart: *e\n---\nflowchart LR\n A`,
  'a billion bits': 'packet-beta\n0-999999999: "x"',
  'a picture as large as a town': '%%{init: {"xyChart": {"width": 1000000000, "height": 1000000000}}}%%\nxychart-beta\n line [1, 2]',
  'a plan of millennia':
    'gantt\n dateFormat YYYY-MM-DD\n tickInterval 1millisecond\n excludes monday,tuesday,wednesday,thursday,friday,saturday,sunday\n A :a, 0001-01-01, 9999-12-31',
};

/** Takes far longer than the timeout. */
const ENDLESS = 'block-beta\ncolumns 3\nspace:99999999 a';

interface Kept {
  readonly pictures: { readonly blob: Blob }[];
}

describe('hostile diagrams', function () {
  this.timeout(90_000);

  let view: View;
  before(async () => {
    view = await View.open();
    await view.page.evaluate(() => {
      const kept = ((window as unknown as { kept: Kept }).kept ??= { pictures: [] } as unknown as Kept);
      const make = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob: Blob) => {
        if (blob.type === 'image/svg+xml') {
          kept.pictures.push({ blob });
        }
        return make(blob);
      };
    });
  });
  after(() => view.close());

  const show = async (code: string, messageId: string) => {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.page.waitForFunction(() => document.querySelector('.entry') === null);
    await view.page.evaluate(() => void ((window as unknown as { kept: Kept }).kept.pictures.length = 0));
    await view.ready();
    await view.happen({ type: 'message', role: 'agent', messageId, content: [{ type: 'text', text: `\`\`\`mermaid\n${code}\n\`\`\`\n` }] });
    await view.page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('.diagram-image');
      return document.querySelector('.diagram-note') !== null || (image?.complete === true && image.naturalWidth > 0);
    });
  };

  /** The forbidden parts of a picture. Its text has no `<` or `>` except those of its elements. */
  const wrongIn = (svg: string): string[] => {
    const wrong: string[] = [];
    for (const [, name, attributes] of svg.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)) {
      if (
        !/^[a-zA-Z]+$/.test(name!) ||
        /^(?:script|foreignobject|iframe|image|img|a|use|animate.*|set|object|link|feimage)$/i.test(name!)
      ) {
        wrong.push(`<${name}`);
      }
      for (const [, key, value] of attributes!.matchAll(/([^\s=]+)="([^"]*)"/g)) {
        if (/^on|^src$/i.test(key!) || (/href$/i.test(key!) && !value!.startsWith('#'))) {
          wrong.push(`${key}=${value}`);
        }
        if (/url\(\s*(?:&quot;|')?[^#&'\s]|\\/i.test(value!)) {
          wrong.push(`${key}=${value}`);
        }
      }
    }
    for (const [, sheet] of svg.matchAll(/<style>([^<]*)<\/style>/g)) {
      if (/@|url\(\s*(?:&quot;|')?[^#&'\s]|\\|(?<![\w-])body/i.test(sheet!)) {
        wrong.push(sheet!.slice(0, 200));
      }
    }
    if (/[\u202a-\u202e\u2066-\u2069]/.test(svg)) {
      wrong.push('words that turn around');
    }
    return wrong;
  };

  /** The state of the page, and the faults of its pictures. */
  const found = async () => {
    const { pictures, ...rest } = await view.page.evaluate(async () => {
      const image = document.querySelector<HTMLImageElement>('.diagram-image');
      return {
        pictures: await Promise.all((window as unknown as { kept: Kept }).kept.pictures.map(({ blob }) => blob.text())),
        source: image?.src.slice(0, 5) ?? 'blob:',
        turned: /[\u202a-\u202e\u2066-\u2069]/.test(image?.alt ?? ''),
        hacked: (window as unknown as { hacked?: number }).hacked,
        polluted: (Object.prototype as { polluted?: number }).polluted,
        elements: [
          ...document.querySelectorAll(
            '.app :is(script, iframe, object, embed, style, link, meta, base, foreignObject, [onerror], [onload], [onclick])',
          ),
        ].map((element) => element.outerHTML.slice(0, 80)),
        body: document.body.children.length,
        sheets: document.querySelectorAll('style, link').length,
        visible: document.querySelector('textarea, [contenteditable]')?.checkVisibility() ?? false,
      };
    });
    return { ...rest, wrong: pictures.flatMap(wrongIn) };
  };

  let page: { body: number; sheets: number } | undefined;

  for (const [name, code] of Object.entries(HOSTILE)) {
    it(`run nothing, load nothing, style nothing else: ${name}`, async () => {
      await show(code, name);
      const { body, sheets, ...rest } = await found();
      page ??= { body, sheets };
      assert.deepEqual(rest, {
        source: 'blob:',
        turned: false,
        hacked: undefined,
        polluted: undefined,
        elements: [],
        visible: true,
        wrong: [],
      });
      assert.deepEqual({ body, sheets }, page);
      const picture = view.page.locator('.diagram-image');
      if (await picture.count()) {
        await picture.click();
      }
      await view.painted();
      assert.deepEqual(await view.posted('open_link'), []);
      assert.deepEqual(view.offences.splice(0), []);
    });
  }

  it('run into the timeout while the page stays responsive, and the next one is drawn', async () => {
    const longest = view.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let last = performance.now();
          let worst = 0;
          const timer = setInterval(() => {
            const now = performance.now();
            worst = Math.max(worst, now - last);
            last = now;
            if (document.querySelector('.diagram-note') === null) {
              return;
            }
            clearInterval(timer);
            resolve(worst);
          }, 10);
        }),
    );
    await show(ENDLESS, 'endless');
    assert.equal(await view.page.locator('.diagram-note').innerText(), "Can't render the diagram: it takes too long.");
    assert.ok((await longest) < 1500, `the page stood still for ${await longest} ms`);
    await show('flowchart LR\n A-->B', 'after');
    assert.equal(await view.page.locator('.diagram-image').count(), 1);
    assert.deepEqual(view.offences.splice(0), []);
  });

  it('are mostly drawn: the attack is left out, not the diagram', async () => {
    for (const name of [
      'a click that runs',
      'a script in a label',
      'a picture behind a sequence',
      'a picture in the style of C4',
      'a picture as a node',
      'an import by theme',
      'looser settings',
      'words that turn around',
    ]) {
      await show(HOSTILE[name]!, `again ${name}`);
      assert.deepEqual(await view.page.locator('.diagram-note').allInnerTexts(), [], name);
    }
  });
});
