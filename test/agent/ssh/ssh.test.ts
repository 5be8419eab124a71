/** Agents on another host: our stack from the session to the program there, through a scripted `ssh` and through a real one. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '../../../src/acp/connect';
import { Trace } from '../../../src/acp/trace/trace';
import { V1 } from '../../../src/acp/v1/v1';
import { sharesFiles } from '../../../src/agent/remoteEntry';
import { startFailure } from '../../../src/agent/startFailure';
import type { SshQuestion } from '../../../src/agent/ssh/sshQuestion';
import type { SshEndpoint } from '../../../src/core/agents/endpoint';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { systemClock } from '../../../src/util/clock';
import { sshTransport } from '../../../src/application/agents/sshTransport';
import { askpassProgram } from '../../support/askpassProgram';
import { expectNoChildren } from '../../support/leaks';
import { AGENT, buildAgent } from '../../support/scenario/agents';
import { lines, setup, text } from '../../unit/session/earlierScene';
import { fakeDependencies, quiet } from '../../unit/session/fakes';
import { type Host, realHost, scriptedHost, SECRET, withoutSshd } from './hosts';

const KINDS = [
  ['a scripted ssh', scriptedHost, process.platform === 'win32' ? 'Windows' : undefined],
  ['a real ssh and sshd', realHost, withoutSshd()],
] as const;

for (const [name, open, reason] of KINDS) {
  describe(`an agent on another host, over ${name}${reason === undefined ? '' : ` (skipped: ${reason})`}`, function () {
    this.timeout(60_000);
    let host: Host;
    let local = '';
    let remote = '';
    const sessions: Sessions[] = [];
    const logged: string[] = [];

    before(async function () {
      if (reason !== undefined) {
        this.skip();
      }
      await buildAgent();
      await askpassProgram();
    });
    beforeEach(async () => {
      host = await open();
      [local, remote] = (await Promise.all(
        ['local-', 'remote-'].map(async (prefix) => realpath(await mkdtemp(path.join(tmpdir(), prefix)))),
      )) as [string, string];
    });
    afterEach(async () => {
      sessions.splice(0).forEach((each) => each.dispose());
      await new Promise((resolve) => setTimeout(resolve, 200));
      await host?.close();
      await Promise.all([local, remote].map((folder) => rm(folder, { recursive: true, force: true })));
      await expectNoChildren();
    });

    function start(answers: (question: SshQuestion) => string | undefined, more: Partial<SshEndpoint> = {}) {
      const asked: SshQuestion[] = [];
      const trace = new Trace(systemClock);
      const { deps } = fakeDependencies();
      const all = new Sessions({
        ...deps,
        clock: systemClock,
        connect: (launch) => (events) => {
          const endpoint = launch as SshEndpoint & typeof launch;
          const ask = () => async (question: SshQuestion) => {
            asked.push(question);
            return answers(question);
          };
          const transport = sshTransport(
            endpoint,
            endpoint,
            local,
            { ...program, ask },
            {
              clock: systemClock,
              log: { ...quiet, info: (line) => logged.push(line) },
              environment: { ...process.env, PATH: `${host.bin}${path.delimiter}${process.env['PATH']}` },
              commandLine: 'ssh',
              onStderrLine: (line) => {
                logged.push(line);
                trace.stderr(line);
              },
            },
            undefined,
          );
          const options = {
            clientInfo: { name: 'test', version: '0' },
            clock: systemClock,
            log: quiet,
            trace,
            timeoutMs: 30_000,
            hasNoFiles: !sharesFiles(endpoint),
          };
          return connect(transport, [V1], events.client, { ...options, onEnd: events.onEnd }, (outcome) =>
            outcome.ok ? events.onReady(outcome.value) : events.onEnd(startFailure(outcome.failure, 'ssh', trace.trailingStderr())),
          );
        },
      });
      sessions.push(all);
      const endpoint: SshEndpoint = {
        kind: 'ssh',
        host: host.host,
        command: process.execPath,
        args: [AGENT, '--setup', JSON.stringify({})],
        env: { SECRET_OF_THE_AGENT: 'v3ry secret' },
        cwd: remote,
        ...more,
      };
      const session = all.create({ agentId: 'Far', agentName: 'Far', ...endpoint }, { ...setup, cwd: local });
      return { session, asked, trace };
    }

    let program: { askpass: string };
    before(async () => (program = { askpass: reason === undefined ? await askpassProgram() : '' }));

    const until = async (session: Session, what: string, holds: () => boolean): Promise<void> => {
      for (const end = Date.now() + 30_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 10))) {
        assert.ok(Date.now() < end, `waited for ${what}: ${JSON.stringify(session.store.state.failure)} ${logged.join('\n')}`);
      }
    };
    const settled = (session: Session): Promise<void> => until(session, 'the start', () => session.store.state.status !== 'starting');
    const willing = ({ kind }: SshQuestion): string => (kind === 'hostKey' ? 'yes' : SECRET);

    it('starts once the user knows its key and has given the secret, works there, and leaves nothing behind', async () => {
      const { session, asked, trace } = start(willing);
      await settled(session);
      assert.equal(session.store.state.failure, undefined, logged.join('\n'));
      assert.deepEqual(
        asked.map(({ kind }) => kind),
        ['hostKey', 'password'],
      );
      assert.match(asked[0]!.text, /SHA256:/);
      assert.equal(session.submit(text(`@script ${JSON.stringify([{ say: 'from ${cwd}' }])}`)), undefined);
      await until(session, 'the turn', () => lines(session).includes('turn end_turn'));
      // The agent knows the folder of its own machine.
      assert.ok(lines(session).includes(`agent: from ${remote}`), lines(session).join('\n'));
      const frames = [...trace.entries()].map((entry) => entry.text).join('\n');
      assert.ok(frames.includes(`"cwd":${JSON.stringify(local)}`));
      for (const secret of [SECRET, 'v3ry secret']) {
        assert.ok(!frames.includes(secret) && !logged.join('\n').includes(secret), secret);
      }
      await session.end();
    });

    it('gets no files and no terminals of this machine without a mapping', async () => {
      const capabilities = async (more: Partial<SshEndpoint>) => {
        const { session, trace } = start(willing, more);
        await settled(session);
        const sent = [...trace.entries()].find((entry) => entry.kind === 'c2a')!.text;
        await session.end();
        const { params } = JSON.parse(sent) as { params: { clientCapabilities: { fs?: object; terminal?: boolean } } };
        return [params.clientCapabilities.fs ?? null, params.clientCapabilities.terminal ?? null];
      };
      const none = await capabilities({});
      const mapped = await capabilities({ pathMapping: { [local]: remote } });
      assert.notDeepEqual(none, mapped);
      assert.deepEqual(mapped, [{ readTextFile: true, writeTextFile: true }, true]);
    });

    it('does not start when the user does not trust the host', async () => {
      const { session, asked } = start(({ kind }) => (kind === 'hostKey' ? 'no' : SECRET));
      await settled(session);
      const { failure } = session.store.state;
      assert.equal(failure?.code, 'agent.exited_at_start');
      assert.match(failure.detail ?? '', /Host key verification failed/);
      assert.equal(asked.length, 1);
    });

    it('does not start when the user gives no secret', async () => {
      const { session } = start(({ kind }) => (kind === 'hostKey' ? 'yes' : undefined));
      await settled(session);
      const { failure } = session.store.state;
      assert.equal(failure?.code, 'agent.exited_at_start');
      assert.match(failure.detail ?? '', /Permission denied/);
    });

    it('says what the host said when the program or the folder is not there', async () => {
      const missing = start(willing, { command: 'no-such-agent' });
      await settled(missing.session);
      assert.match(missing.session.store.state.failure?.detail ?? '', /no-such-agent/);
      const nowhere = start(willing, { cwd: '/no/such/folder' });
      await settled(nowhere.session);
      assert.match(nowhere.session.store.state.failure?.detail ?? '', /\/no\/such\/folder/);
    });
  });
}
