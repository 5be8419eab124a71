/** The changes of a session from its first turn on, and of one that this window only reads, because another window has it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../../../../src/session/session';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { enterVscode } from '../../../support/fakeVscode';
import { quiet } from '../../session/fakes';

const event = () => ({ dispose: () => undefined });
/** Called by the tests as VS Code calls the listener of a watcher. */
let fileChanged: (uri: object) => void = () => undefined;
const watcher = {
  onDidChange: (listener: typeof fileChanged) => ((fileChanged = listener), event()),
  onDidCreate: event,
  onDidDelete: event,
  dispose: () => undefined,
};
/** Answers to every name that it does not have with an event. */
const events = (known: object): object => new Proxy(known, { get: (target, name) => (name in target ? target[name as never] : event) });
const vscode = {
  workspace: events({
    textDocuments: [],
    notebookDocuments: [],
    workspaceFolders: [],
    getConfiguration: () => ({ inspect: () => undefined, get: () => undefined }),
    createFileSystemWatcher: () => watcher,
    decode: async (bytes: Uint8Array) => Buffer.from(bytes).toString(),
    encode: async (text: string) => Buffer.from(text),
    isTrusted: true,
  }),
  window: events({ tabGroups: { all: [] } }),
  commands: events({}),
  extensions: { getExtension: () => undefined },
  l10n: { t: (text: string) => text },
  Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` }) },
  EventEmitter: class {
    event = event;
  },
  RelativePattern: class {},
};

describe('the changes of a session', () => {
  const leave = enterVscode(vscode);
  const { Changes } = require('../../../../src/workbench/changes/changes') as typeof import('../../../../src/workbench/changes/changes');
  let root: string;
  let folder: string;
  let changes: InstanceType<typeof Changes>;
  after(() => leave());
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'taken-')));
    folder = path.join(root, 'store');
    changes = new Changes({ clock: systemClock, cleanTexts: { of: () => undefined }, log: quiet, folderOf: async () => folder });
  });
  afterEach(async () => {
    changes.dispose();
    await delay(20);
    rmSync(root, { recursive: true, force: true });
  });

  function sessionOf(isReadOnly: boolean, cwd = root): Session {
    const store = new SessionStore(systemClock);
    if (isReadOnly) {
      store.append({ type: 'disconnected', failure: { code: 'session.live_elsewhere' } });
    }
    const consents = { onDidAgree: event, mayRead: async () => false };
    return {
      key: 'one',
      agentId: 'a',
      agentName: 'a',
      roots: { cwd, additionalDirectories: [] },
      store,
      consents,
    } as unknown as Session;
  }

  it('are recorded from the first turn on in a folder that is opened through a link', async () => {
    mkdirSync(path.join(root, 'project'));
    writeFileSync(path.join(root, 'project', 'a.txt'), 'one\n');
    symlinkSync('project', path.join(root, 'link'));
    await delay(30);
    const session = sessionOf(false, path.join(root, 'link'));
    const followed = await changes.follow(session);
    session.store.onEvents((_, happened, whole) => followed.onEvents(happened, whole));
    session.store.append({ type: 'turn_started', turnId: 't' });
    await changes.get('one')!.recorder.copied();
    await delay(30);
    writeFileSync(path.join(root, 'project', 'a.txt'), 'agent\n');
    session.store.append({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await changes.get('one')!.settled();
    const turn = (await changes.get('one')!.log.records()).find(({ type }) => type === 'turn');
    assert.deepEqual(turn && 'files' in turn && turn.files.map((file) => [path.relative(root, file.path), file.before.kind]), [
      ['project/a.txt', 'file'],
    ]);
  });

  it('stay the agent’s when VS Code reports them late, before the turn is recorded', async () => {
    const project = path.join(root, 'project');
    const file = path.join(project, 'a.txt');
    mkdirSync(project);
    writeFileSync(file, 'one\ntwo\nthree\nfour\nfive\n');
    await delay(30);
    const session = sessionOf(false, project);
    const followed = await changes.follow(session);
    session.store.onEvents((_, happened, whole) => followed.onEvents(happened, whole));
    const own = changes.get('one')!;
    const turn = async (turnId: string, text: string): Promise<void> => {
      session.store.append({ type: 'turn_started', turnId });
      await own.recorder.copied();
      await delay(30);
      writeFileSync(file, text);
      session.store.append({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
    };
    await turn('t1', 'ONE\ntwo\nthree\nfour\nfive\n');
    await own.settled();
    const ended = own.recorder.turnEnded.bind(own.recorder);
    own.recorder.turnEnded = async (turnId) => (await delay(400), ended(turnId));
    await turn('t2', 'ONE\ntwo\nthree\nfour\nFIVE\n');
    fileChanged({ fsPath: file });
    await delay(200);
    await own.settled();
    await delay(20);
    assert.equal(own.review!.file(file)?.hunks?.hunks.length, 2);
    writeFileSync(file, 'ONE\ntwo\nTHREE\nfour\nFIVE\n');
    fileChanged({ fsPath: file });
    const edited = 'ONE\ntwo\nTHREE\nfour\nFIVE\n';
    for (let tries = 0; tries < 100 && own.review!.file(file)?.hunks?.text !== edited; tries++) {
      await delay(50);
    }
    assert.equal(own.review!.file(file)?.hunks?.text, edited);
    assert.equal(own.review!.file(file)?.hunks?.hunks.length, 2);
  });

  it('stay without a review and without a write while another window has it', async () => {
    await changes.follow(sessionOf(true));
    const read = changes.get('one')!;
    await read.ready();
    await read.flush();
    await delay(700);
    assert.deepEqual([read.review, read.undo, read.restore], [undefined, undefined, undefined]);
    assert.deepEqual(readdirSync(root), []);
  });

  it('belong to the new session after this window has taken it over', async () => {
    const before = sessionOf(true);
    await changes.follow(before);
    const taken = sessionOf(false);
    const followed = await changes.follow(taken);
    assert.equal(await changes.follow(taken), followed);
    const own = changes.get('one')!;
    assert.ok(own.session === taken && own.review !== undefined);
    writeFileSync(path.join(root, 'a.txt'), 'a');
    await own.ready();
    followed.dispose();
    followed.dispose();
    assert.deepEqual(changes.sessions, []);
    assert.notEqual(await changes.follow(taken), followed);
  });
});
