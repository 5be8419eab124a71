/**
 * The playground's bundle in real Chromium, in the same document, with the same content security policy, as in the panel. One build, server
 * and browser per run.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { agentsPageHtml } from '../../src/application/agents/views/pageDocument';
import { pageHtml } from '../../src/application/chat/page';
import { readPageFiles } from '../../src/application/chat/pageFiles';

export const root = path.resolve(__dirname, '../..');
const bundle = path.join(root, 'out/playground');

let running: Promise<{ browser: Browser; server: Server; address: string }> | undefined;

/** Starts server and browser, or returns the running ones. */
export function startBrowser(): NonNullable<typeof running> {
  running ??= (async () => {
    // A run of several processes has built it before.
    if (process.env['ACP_HOST_PLAYGROUND'] !== 'built') {
      // The production build: with source maps, the worker that draws diagrams has 19 MB, which each document that needs it must read.
      execFileSync(process.execPath, ['esbuild.mjs', '--playground', '--production'], { cwd: root, stdio: 'inherit' });
    }
    const { ensureChrome, chromeArgs } = (await import('../harness/lib/chrome.mjs' as string)) as {
      ensureChrome(): Promise<string>;
      chromeArgs: string[];
    };
    const browser = await chromium.launch({ executablePath: await ensureChrome(), args: chromeArgs });
    const server = await serve();
    return { browser, server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  })();
  return running;
}

/** Waits until a page's script has reported that it is ready, and everything that it loads unasked is loaded. */
export async function playgroundIsThere(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { playground } = window as { playground?: { stage: { posted: readonly unknown[] } } };
    return playground !== undefined && playground.stage.posted.length > 0;
  });
  await page.evaluate(() => (window as unknown as { playground: { whole(): Promise<void> } }).playground.whole());
}

/** The attribute of the root element while a page of {@link leaveUndrawn} is visible. */
const SEEN = 'data-seen';

/**
 * Makes the documents in this page invisible: they are laid out, measured, clicked and read as usual. Painting them would take a third of
 * the processor time.
 */
export async function leaveUndrawn(page: Page): Promise<void> {
  await page.addInitScript((seen) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html:not([${seen}]) { opacity: 0; }`);
    document.adoptedStyleSheets.push(sheet);
  }, SEEN);
}

/** Makes the page visible while `work` runs. */
export async function whileSeen<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const isSeen = (seen: boolean) =>
    page.evaluate(([name, seen]) => void document.documentElement.toggleAttribute(name, seen), [SEEN, seen] as const);
  await isSeen(true);
  try {
    return await work();
  } finally {
    await isSeen(false);
  }
}

/** Saves a picture for people to look at, at this absolute path. The gate turns this off: no test compares pictures, and they take long. */
export async function keepPicture(of: Page | Locator, file: string): Promise<void> {
  if (process.env['ACP_HOST_PICTURES'] !== 'off') {
    await whileSeen('page' in of ? of.page() : of, () => of.screenshot({ path: file }));
  }
}

export async function stopBrowser(): Promise<void> {
  if (!running) {
    return;
  }
  const { browser, server } = await running;
  // The next caller starts another browser.
  running = undefined;
  await browser.close();
  server.close();
}

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      void documentFor(`http://${request.headers.host}`).then((document) => response.end(document));
      return;
    }
    if (url.pathname === '/agents' || url.pathname === '/inspector') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      void pageDocumentFor(url.pathname.slice(1), `http://${request.headers.host}`).then((document) => response.end(document));
      return;
    }
    readFile(path.join(bundle, path.posix.normalize(url.pathname))).then(
      (content) => {
        response.setHeader('content-type', types[path.extname(url.pathname)] ?? 'application/octet-stream');
        // The server lives as long as this build. The browser keeps a cached script together with its compiled code.
        response.setHeader('cache-control', 'max-age=86400');
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The page of agents, or the inspector, as the panel has it. The test provides `acquireVsCodeApi`. */
async function pageDocumentFor(name: string, origin: string): Promise<string> {
  return agentsPageHtml({
    style: await readFile(path.join(bundle, name, 'main.css'), 'utf8'),
    nonce: randomBytes(16).toString('hex'),
    language: 'en',
    title: name,
    cspSource: origin.replace('http:', 'https:'),
    scriptUri: `/${name}/main.js`,
    mediaUri: `${origin}/media`,
    bundle: undefined,
  });
}

async function documentFor(origin: string): Promise<string> {
  const { imports, ...files } = readPageFiles(bundle);
  return pageHtml({
    ...files,
    nonce: randomBytes(16).toString('hex'),
    language: 'en',
    title: 'Session',
    cspSource: origin.replace('http:', 'https:'),
    scriptUri: '/main.js',
    importUris: imports.map((name) => `/${name}`),
    mediaUri: `${origin}/media`,
    sessionKey: 'playground',
    place: 'editor',
    bundle: undefined,
  });
}
