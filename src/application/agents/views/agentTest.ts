/**
 * A test of an agent: starts a process of its own, agrees on the protocol, and opens a session, which shows whether a sign-in is needed. The session
 * is deleted or closed again. Nothing is sent to a model.
 */
import type { Dialect } from '../../../acp/dialect';
import type { AgentLaunch } from '../../../core/model/agentLaunch';
import { type Failure, failureOf } from '../../../core/model/failure';
import { setupIn } from '../../../core/model/sessionSetup';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { AgentConnection } from '../../../session/agent/agentConnection';
import { withMethodNames } from '../../../session/agent/signInFlow';
import type { AgentConnections } from '../../../session/agent/agentConnections';

/** The findings of a test so far. A field is absent until the test has reached it. */
export interface TestFindings {
  readonly cwd: string;
  readonly startedAt: number;
  /** The command line, without secrets. */
  readonly command?: string;
  /** ms from the start to the answer of `initialize`. */
  readonly readyAfter?: number;
  readonly dialect?: Pick<
    Dialect,
    'protocolVersion' | 'agent' | 'promptCapabilities' | 'authMethods' | 'sessionCapabilities' | 'mcpCapabilities'
  >;
  /** ms that the agent took to open a session. */
  readonly sessionAfter?: number;
  /** The reason why the test ended early. `auth.required` is a sign-in that is needed, and no fault. */
  readonly failure?: Failure;
  readonly isRunning: boolean;
}

export interface AgentTestDependencies {
  readonly clock: Clock;
  /** Starts a process that no session joins. */
  readonly start: AgentConnections['start'];
}

/** Returns the sign-in's state at a test; undefined while the test has not opened a session, or could not. */
export function signInOf({ failure, sessionAfter }: Pick<TestFindings, 'failure' | 'sessionAfter'>): 'required' | 'works' | undefined {
  return failure?.code === 'auth.required' ? 'required' : sessionAfter === undefined ? undefined : 'works';
}

/** Runs the test and calls `report` with each finding. Resolves with the last one. Never rejects. */
export function testAgent(
  { clock, start }: AgentTestDependencies,
  launch: AgentLaunch,
  cwd: string,
  report: (findings: TestFindings) => void,
  signal: AbortSignal,
): Promise<TestFindings> {
  let findings: TestFindings = { cwd, startedAt: clock.now(), isRunning: true };
  return new Promise((resolve) => {
    let membership: Disposable | undefined;
    let starting: Disposable | undefined;
    const find = (more: Partial<TestFindings>): void => {
      if (findings.isRunning) {
        findings = { ...findings, ...more };
        report(findings);
      }
    };
    const end = (more: Partial<TestFindings> = {}): void => {
      if (findings.isRunning) {
        find({ ...more, isRunning: false });
        starting?.dispose();
        membership?.dispose();
        resolve(findings);
      }
    };
    const openSession = (connection: AgentConnection, dialect: Dialect): void => {
      const asked = clock.now();
      dialect.newSession(setupIn({ cwd, additionalDirectories: [] }), (outcome) => {
        if (!outcome.ok) {
          end({ failure: withMethodNames(outcome.failure, dialect.authMethods) });
          return;
        }
        find({ sessionAfter: clock.now() - asked });
        const { sessionId } = outcome.value;
        connection.discard(sessionId);
        const remove = dialect.deleteSession?.bind(dialect) ?? dialect.closeSession?.bind(dialect);
        if (remove) {
          remove(sessionId, () => end());
        } else {
          end();
        }
      });
    };
    signal.addEventListener('abort', () => end({ failure: { code: 'agent.start_cancelled' } }));
    report(findings);
    if (signal.aborted) {
      end({ failure: { code: 'agent.start_cancelled' } });
      return;
    }
    try {
      starting = start({ launch, roots: { cwd, additionalDirectories: [] }, byUser: true, isApart: true }, (outcome) => {
        if (!outcome.ok) {
          end({ failure: outcome.failure });
          return;
        }
        const connection = outcome.value;
        membership = connection.join({
          onProgress: (command) => command !== '' && find({ command }),
          onReady: (dialect) => {
            find({ readyAfter: clock.now() - findings.startedAt, dialect });
            openSession(connection, dialect);
          },
          onEnd: (failure) => end({ failure }),
        });
        if (!findings.isRunning) {
          membership.dispose(); // The agent ended while it was being joined.
        }
      });
    } catch (error) {
      end({ failure: failureOf(error) });
    }
  });
}
