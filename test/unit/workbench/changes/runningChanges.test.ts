/** The changes of turns that run, in the files of visible editors. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../src/changes/hunks/liveHunks';
import type { FileState } from '../../../../src/core/fileChanges/records';
import { Workspace, type WorkspaceSession } from '../../../support/changes/workspace';
import { withVscode } from '../../../support/fakeVscode';
import { FakeClock } from '../../session/permission/fakes';

describe('the changes of a running turn', function () {
  this.timeout(30_000);
  const BEFORE = 'one\ntwo\nthree\nfour\n';
  const window = {
    visibleTextEditors: [] as { document: { uri: { scheme: string; fsPath: string }; getText(): string } }[],
    onDidChangeVisibleTextEditors: () => ({ dispose: () => undefined }),
  };
  const workspace = { onDidChangeTextDocument: () => ({ dispose: () => undefined }) };
  const { RunningChanges } = withVscode(
    { window, workspace },
    () =>
      require('../../../../src/workbench/changes/documents/runningChanges') as typeof import('../../../../src/workbench/changes/documents/runningChanges'),
  );

  class Session {
    readonly recorder: WorkspaceSession['recorder'];
    turnId: string | undefined;
    readonly reviewed = new Map<string, LiveHunks>();
    readonly review = {
      file: (path: string) => {
        const hunks = this.reviewed.get(path);
        return hunks && { hunks };
      },
    };
    settle: () => void = () => undefined;
    private readonly store: WorkspaceSession['store'];

    constructor(
      readonly key: string,
      folder: Workspace,
    ) {
      const { recorder, store } = folder.session({ key });
      this.recorder = recorder;
      this.store = store;
    }
    begin(turnId: string): void {
      this.turnId = turnId;
      this.recorder.turnStarted(turnId, Date.now());
      this.recorder.documentOpened(file, text, false);
    }
    holds(): boolean {
      return true;
    }
    async textOf(_real: string, state: FileState): Promise<string | undefined> {
      const bytes = state.kind === 'file' ? await this.store.get(state.hash) : undefined;
      return state.kind === 'none' ? '' : bytes && Buffer.from(bytes).toString();
    }
    settled(): Promise<void> {
      return new Promise((resolve) => (this.settle = resolve));
    }
  }

  let folder: Workspace;
  let file: string;
  let text: string;
  let clock: FakeClock;
  let sessions: Session[];
  let changed: number;
  let changes: InstanceType<typeof RunningChanges<Session>>;

  beforeEach(async () => {
    folder = new Workspace(false);
    folder.write('a.txt', BEFORE);
    file = folder.at('a.txt');
    text = BEFORE;
    await folder.settle();
    clock = new FakeClock();
    sessions = [new Session('one', folder)];
    changed = 0;
    window.visibleTextEditors = [{ document: { uri: { scheme: 'file', fsPath: file }, getText: () => text } }];
    changes = new RunningChanges({ clock, sessions: () => sessions, realPathOf: (name) => name, onDidChange: () => void changed++ });
  });
  afterEach(() => {
    changes.dispose();
    folder.dispose();
  });

  /** The agent writes the file, and VS Code reads it again. */
  function agentWrites(now: string, by: readonly Session[] = sessions): void {
    folder.write('a.txt', now);
    text = now;
    by.forEach(({ recorder }) => recorder.documentChanged(file, now, 'agent'));
  }
  const hunksNow = (): string[] =>
    changes
      .at(file)
      .flatMap(({ changes: { key }, file: { hunks } }) =>
        hunks.hunks.map((hunk) => `${key} ${hunks.linesOf(hunk).first}: ${JSON.stringify(hunk.oldText)}`),
      );
  /** Compares what is shown after the next look. */
  async function shows(...wanted: string[]): Promise<void> {
    changes.look();
    clock.pass(100);
    const until = Date.now() + 5000;
    do {
      await folder.settle();
    } while (hunksNow().join() !== wanted.join() && Date.now() < until);
    await folder.settle();
    assert.deepEqual(hunksNow(), wanted);
  }

  it('are shown as soon as the agent has written a file that it named', async () => {
    sessions[0]!.begin('turn');
    await sessions[0]!.recorder.announce({ path: file });
    await shows();
    agentWrites('one\n2\nthree\nfour\n');
    await shows('one 1: "two\\n"');
    assert.equal(changes.isAny, true);
    agentWrites('one\n2\nthree\n');
    await shows('one 1: "two\\n"', 'one 3: "four\\n"');
  });

  it('are shown for a file that a command of the agent has written', async () => {
    sessions[0]!.begin('turn');
    await sessions[0]!.recorder.copied();
    agentWrites('one\n2\nthree\nfour\n');
    await shows('one 1: "two\\n"');
  });

  it('leave out what the user types', async () => {
    sessions[0]!.begin('turn');
    await sessions[0]!.recorder.announce({ path: file });
    text = `mine\n${BEFORE}`;
    await shows();
    sessions[0]!.recorder.documentChanged(file, text, 'user');
    agentWrites('mine\none\n2\nthree\nfour\n');
    text = 'mine, too\none\n2\nthree\nfour\n';
    await shows('one 2: "two\\n"');
  });

  it('belong to the session that has named the file', async () => {
    sessions.push(new Session('two', folder));
    sessions.forEach((each) => each.begin('turn'));
    await sessions[1]!.recorder.announce({ path: file });
    agentWrites('one\n2\nthree\nfour\n');
    await shows('two 1: "two\\n"');
  });

  it('leave a file to the review that has followed it before', async () => {
    sessions[0]!.begin('turn');
    sessions[0]!.reviewed.set(file, LiveHunks.of(BEFORE));
    agentWrites('one\n2\nthree\nfour\n');
    await shows();
  });

  it('stay after the turn until the review has them', async () => {
    const [session] = sessions;
    session!.begin('turn');
    await session!.recorder.announce({ path: file });
    agentWrites('one\n2\nthree\nfour\n');
    await shows('one 1: "two\\n"');
    session!.turnId = undefined;
    await shows('one 1: "two\\n"');
    const before = changed;
    session!.settle();
    await folder.settle();
    assert.deepEqual(changes.at(file), []);
    assert.equal(changed, before + 1);
    assert.equal(clock.pending, 0);
  });
});
