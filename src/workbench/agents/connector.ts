/** From a launch to a live connection: process, framing and protocol put together, as one thing that is started and ended. */
import { connect } from '../../acp/connect';
import { LaunchSecrets } from '../../acp/redaction/launchSecrets';
import { redactedLog } from '../../acp/redaction/redactedLog';
import type { Traces } from '../../acp/trace/traces';
import { ndjson } from '../../acp/transport/ndjson';
import { V1 } from '../../acp/v1/v1';
import { spawnAgent } from '../../agent/spawn';
import { startFailure } from '../../agent/startFailure';
import { initializeTimeoutOf, requestTimeoutOf } from '../../agent/timeouts';
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch, Clock, Disposable, Log } from '../../core/model/ports';
import type { Connect } from '../../session/agent/agentConnection';
import type { Environment } from '../../util/environment';
import { runsAsNode } from './demoLaunch';
import type { LaunchPlaces } from './launchPlaces';

export interface ConnectorDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Of the extension host; the agent gets it cleaned. */
  readonly environment: Environment;
  readonly places: LaunchPlaces;
  /** The one agent that runs on VS Code's own Node. */
  readonly demo: AgentLaunch;
  /** Ours, for `clientInfo`. */
  readonly version: string;
  /** Where the frames of each agent go. */
  readonly traces: Pick<Traces, 'add'>;
  /** What the user typed for this agent when signing in, for its environment. */
  readonly valuesOf?: (launch: AgentLaunch) => Readonly<Record<string, string>>;
  /** Told before an agent is started: what must not be written down of its environment. */
  readonly keepSecret?: (agentName: string, values: readonly string[]) => void;
  /** Bytes of one line that are read, asked at each start; see `acpHost.maxMessageSize`. */
  readonly maxLineBytes?: () => number;
}

/** A line of stderr is told at most this often, in ms; the last one always is. */
const PROGRESS_MS = 250;

/** Starts agents. Nothing of it runs before the first session. */
export function connector({
  clock,
  log: openLog,
  environment,
  places,
  demo,
  version,
  traces,
  valuesOf,
  keepSecret,
  maxLineBytes,
}: ConnectorDependencies): (launch: AgentLaunch, cwd: string) => Connect {
  let started = 0;
  return (launch, cwd) => (events) => {
    started++;
    const values = valuesOf?.(launch) ?? {};
    const env = { ...launch.env, ...values };
    // What the agent writes may quote its environment, and goes into logs, failures and journals.
    const secrets = new LaunchSecrets(launch, values);
    const { commandLine } = secrets;
    const log = redactedLog(openLog, () => secrets.values);
    keepSecret?.(launch.agentName, secrets.values);
    const { trace, ended: endTrace } = traces.add({ agentName: launch.agentName, commandLine, cwd, secrets: secrets.values });
    let ready = false;
    let ended = false;
    let line: string | undefined;
    let telling: Disposable | undefined;
    let recognizer: typeof import('../../text/messages/recognizeCause') | undefined;
    // Here long before an agent has said why it fails; one that was not even found is told of when it is.
    const recognizing = import('../../text/messages/recognizeCause').then(
      (loaded) => (recognizer = loaded),
      // An update has taken the file away: the failure is told without its cause.
      () => undefined,
    );
    /** With the cause that its text names, and without what nobody else should read. */
    const explained = (failure: Failure): Failure => secrets.failure(recognizer?.withCause(failure, trace.trailingStderr()) ?? failure);
    let disposed = false;
    const tellProgress = (): void => {
      telling = undefined;
      if (!ready && !ended && line !== undefined) {
        events.onProgress(commandLine, line);
        line = undefined;
        telling = clock.after(PROGRESS_MS, tellProgress);
      }
    };
    const end = (told: Failure): void => {
      if (ended) {
        return;
      }
      ended = true;
      telling?.dispose();
      if (recognizer) {
        tellEnd(told);
      } else {
        void recognizing.then(() => disposed || tellEnd(told));
      }
    };
    const tellEnd = (told: Failure): void => {
      const failure = explained(told);
      log.warn(`${launch.agentName}: ${failure.code}${failure.detail ? `\n${failure.detail}` : ''}`);
      trace.note(`ended: ${failure.code} ${exitOf(failure)}`.trimEnd());
      endTrace();
      events.onEnd(failure);
    };
    const agent = spawnAgent(
      { ...launch, ...places(launch, cwd), env, runAsNode: runsAsNode(launch, demo) },
      {
        clock,
        log,
        environment,
        commandLine,
        withoutSecrets: (text) => secrets.text(text),
        onStderrLine: (text) => {
          log.info(`${launch.agentName}: ${text}`);
          trace.stderr(text);
          line = text;
          if (!telling) {
            tellProgress();
          }
        },
      },
    );
    const transport = ndjson(agent.transport, maxLineBytes?.());
    log.info(`${launch.agentName}: starting ${transport.describe()} in ${cwd}`);
    events.onProgress(transport.describe());
    const connection = connect(
      transport,
      [V1],
      events.client,
      {
        // A conversation outlives the window, and with it this count.
        mark: `${clock.now()}.${started}.`,
        clientInfo: { name: 'acp-host', title: 'ACP Host', version },
        clock,
        log,
        trace,
        timeoutMs: requestTimeoutOf(launch),
        initializeTimeoutMs: initializeTimeoutOf(launch),
        onEnd: (failure) => end({ ...failure, params: { ...failure.params, commandLine } }),
        withoutSecrets: explained,
      },
      (outcome) => {
        ready = outcome.ok;
        if (!outcome.ok) {
          end(startFailure(outcome.failure, commandLine, trace.trailingStderr()));
        } else if (!ended) {
          events.onReady(outcome.value);
        }
      },
    );
    return {
      dispose: () => {
        ended = true;
        disposed = true;
        telling?.dispose();
        endTrace();
        connection.dispose({ code: 'connection.disposed' });
        void agent.dispose();
      },
    };
  };
}

/** For the trace: how the process ended, as far as it is known. */
function exitOf({ params = {} }: Failure): string {
  return [params['signal'] ?? params['exitCode']].filter((word) => word !== undefined).join('');
}
