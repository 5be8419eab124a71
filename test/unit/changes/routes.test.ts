/** The review after a turn in which an agent edits by every route, in every kind of folder. `test/e2e/folders.test.mjs` tests the window's part. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Review } from '../../../src/changes/review/review';
import { looksBinary } from '../../../src/changes/turns/fileStates';
import { systemClock } from '../../../src/util/clock';
import { slowFiles, slowGit, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const LARGE = 10 * 1024 * 1024;

describe('a review of edits by every route', function () {
  this.timeout(60_000);
  const workspaces: Workspace[] = [];
  afterEach(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  function prepared(isRepository: boolean): Workspace {
    const workspace = new Workspace(isRepository);
    workspaces.push(workspace);
    for (const name of ['written', 'announced', 'shell', 'old name', 'deleted', 'early']) {
      workspace.write(`src/${name}.txt`, `${name}\ntwo\nthree\n`);
    }
    workspace.write('changed.bin', Buffer.from([0, 1, 2, 3]));
    workspace.write('large.txt', 'a line of it\n'.repeat(LARGE / 13));
    if (isRepository) {
      workspace.commit();
      workspace.write('src/dirty.txt', 'not committed\n');
    }
    return workspace;
  }

  /** Edits as agents do. Changes that the agent reports, or writes through the client, are announced first. */
  async function act(workspace: Workspace, { recorder }: WorkspaceSession): Promise<void> {
    const shell = (line: string) => execFileSync('sh', ['-c', line], { cwd: workspace.folder });
    await recorder.announce({ path: workspace.at('src/written.txt') });
    workspace.write('src/written.txt', 'written\n2\nthree\n');
    void recorder.announce({ path: workspace.at('src/announced.txt') });
    await delay(5);
    workspace.write('src/announced.txt', 'announced\ntwo\nthree\nfour\n');
    shell("sed -i 's/two/TWO/' src/shell.txt");
    shell(workspace.isRepository ? "git mv 'src/old name.txt' src/new.txt" : "mv 'src/old name.txt' src/new.txt");
    shell('rm src/deleted.txt');
    shell("printf '\\0\\1\\2' > made.bin; printf '\\0\\7' > changed.bin");
    shell('echo one more >> large.txt; echo new > src/made.txt');
    if (workspace.isRepository) {
      shell('echo more >> src/dirty.txt');
    }
  }

  /** Plays one turn in these folders. The first edit comes before any file was copied. */
  async function reviewed(places: readonly Workspace[], slowness = 0): Promise<{ rows: string[]; startedIn: number }> {
    const [first] = places;
    await first!.settle();
    const session = first!.session({
      roots: places.map(({ folder }) => folder),
      ...(slowness > 0 && { files: slowFiles(slowness), run: slowGit(slowness) }),
    });
    const review = new Review({
      store: session.store,
      folder: session.storeFolder,
      clock: systemClock,
      text: async (file) => {
        const bytes = readFileSync(file);
        return bytes.length > 2 * 1024 * 1024 || looksBinary(bytes) ? undefined : bytes.toString();
      },
      decode: async (_, bytes) => (looksBinary(bytes) ? undefined : Buffer.from(bytes).toString()),
    });
    const start = performance.now();
    session.recorder.turnStarted('turn-1', Date.now());
    const startedIn = performance.now() - start;
    for (const workspace of places) {
      workspace.write('src/early.txt', 'early\ntwo\nthree\nat once\n');
    }
    await session.recorder.copied();
    await delay(15);
    for (const workspace of places) {
      await act(workspace, session);
    }
    const { files } = (await session.recorder.turnEnded('turn-1'))!;
    await review.recorded('turn-1', files);
    const rows = review.files.map(({ path: file, oldPath, before, isDeleted, hunks }) => {
      const place = places.find(({ folder }) => file.startsWith(folder + path.sep))!;
      const name = (at: string): string => path.relative(place.folder, at);
      const changes = hunks?.hunks.map(({ start: from, end, oldText }) => `-${oldText}+${hunks.text.slice(from, end)}`);
      const known = before.kind === 'unknown' ? `unknown: ${before.reason}` : before.kind;
      return [
        places.length > 1 ? `${places.indexOf(place)} ` : '',
        name(file),
        oldPath === undefined ? '' : ` from ${name(oldPath)}`,
        `: ${known}`,
        isDeleted ? ', deleted' : '',
        changes ? ` ${JSON.stringify(changes.join(''))}` : '',
      ].join('');
    });
    review.dispose();
    return { rows, startedIn };
  }

  const common = [
    'changed.bin: file',
    'large.txt: unknown: too_large',
    'made.bin: none',
    'src/announced.txt: file "-+four\\n"',
    'src/deleted.txt: file, deleted',
    'src/early.txt: unknown: late',
    'src/made.txt: none "-+new\\n"',
    'src/new.txt from src/old name.txt: file ""',
    'src/shell.txt: file "-two\\n+TWO\\n"',
    'src/written.txt: file "-two\\n+2\\n"',
  ];
  const inRepository = [...common, 'src/dirty.txt: file "-+more\\n"'].sort();

  it('in a git repository', async () => {
    assert.deepEqual((await reviewed([prepared(true)])).rows.sort(), inRepository);
  });

  it('in a plain folder', async () => {
    assert.deepEqual((await reviewed([prepared(false)])).rows.sort(), common);
  });

  it('in several folders, one of which is a repository', async () => {
    const { rows } = await reviewed([prepared(true), prepared(false)]);
    assert.deepEqual(rows.sort(), [...inRepository.map((row) => `0 ${row}`), ...common.map((row) => `1 ${row}`)].sort());
  });

  for (const isRepository of [true, false]) {
    it(`in a ${isRepository ? 'repository' : 'folder'} whose operations take 200 ms more, without delaying the prompt`, async () => {
      const { rows, startedIn } = await reviewed([prepared(isRepository)], 200);
      assert.deepEqual(rows.sort(), isRepository ? inRepository : common);
      assert.ok(startedIn < 20, `${startedIn} ms`);
    });
  }
});
