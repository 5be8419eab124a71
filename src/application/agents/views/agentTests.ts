/** The tests of agents in this window: at most one per agent at a time, and the findings of the last one. */
import { homedir, hostname, userInfo } from 'node:os';
import { Redaction } from '../../../acp/redaction/redact';
import type { CatalogEntry } from '../../../agent/catalog';
import type { TestState } from '../../../core/agents/agentsPage';
import type { Failure } from '../../../core/model/failure';
import type { Clock } from '../../../core/platform/clock';
import type { AgentConnections } from '../../../session/agent/agentConnections';
import { anonymous } from '../../export/anonymize';
import type { TranslateVerbatim } from '../../shared/translate';
import { signInOf, type TestFindings, testAgent } from './agentTest';
import { reportText, type ReportFacts, testState } from './testReport';

export interface AgentTestsDependencies {
  readonly clock: Clock;
  readonly t: TranslateVerbatim;
  /** Versions for the report. */
  readonly environment: ReportFacts['environment'];
  readonly start: AgentConnections['start'];
  /** Values that must not be shown, also those that a test has just learned. */
  secretsOf(agentId: string): readonly string[];
  /** Resolves to the folder for the test, absolute. */
  folder(): Promise<string>;
  /** Called before a start: loads the values that the user typed to sign in. */
  prepare(entry: CatalogEntry): Promise<void>;
  /** Called once with the findings of each test. */
  ended(agentId: string, findings: TestFindings): Promise<void>;
}

interface AgentTest {
  findings: TestFindings | undefined;
  readonly abort: AbortController;
  readonly entry: CatalogEntry;
  /** The installed version that was tested; undefined for an agent that is not installed. */
  readonly version: string | undefined;
}

export class AgentTests {
  private readonly tests = new Map<string, AgentTest>();

  /** @param changed called with each finding */
  constructor(
    private readonly deps: AgentTestsDependencies,
    private readonly changed: (agentId: string) => void,
  ) {}

  /** Runs the test, unless one is running for this agent. Never rejects. @param version the installed one */
  async run(entry: CatalogEntry, version?: string): Promise<void> {
    const { agentId, agentName, launch } = entry;
    const before = this.tests.get(agentId);
    if (before && before.findings?.isRunning !== false) {
      return;
    }
    const test: AgentTest = { findings: undefined, abort: new AbortController(), entry, version };
    this.tests.set(agentId, test);
    const report = (findings: TestFindings): void => {
      test.findings = findings;
      this.changed(agentId);
    };
    const { clock, start } = this.deps;
    let findings: TestFindings = { cwd: '', startedAt: clock.now(), isRunning: true };
    try {
      const cwd = await this.deps.folder();
      report((findings = { ...findings, cwd }));
      await this.deps.prepare(entry);
      findings = await testAgent({ clock, start }, launch, cwd, report, test.abort.signal);
    } catch (error) {
      // For example a disk on which the folder cannot be created. Without an end, the agent could not be tested again.
      const detail = error instanceof Error ? error.message : String(error);
      const failure: Failure = { code: 'agent.spawn_failed', params: { command: agentName }, detail };
      report((findings = { ...findings, failure, isRunning: false }));
    }
    await this.deps.ended(agentId, findings).catch(() => undefined);
    this.changed(agentId);
  }

  cancel(agentId: string): void {
    this.tests.get(agentId)?.abort.abort();
  }

  isRunning(agentId: string): boolean {
    return this.tests.get(agentId)?.findings?.isRunning === true;
  }

  /** The handshake of the last test. */
  dialectOf(agentId: string): TestFindings['dialect'] {
    return this.tests.get(agentId)?.findings?.dialect;
  }

  /** Returns the sign-in's state at the last test. */
  signInOf(agentId: string): ReturnType<typeof signInOf> {
    return signInOf(this.tests.get(agentId)?.findings ?? {});
  }

  /** @param current the installed version that starts now */
  stateOf(agentId: string, current?: string): TestState | undefined {
    const test = this.tests.get(agentId);
    const isOfOther = current !== undefined && test?.version !== current;
    return test?.findings && testState(test.findings, { ...this.factsOf(test), isOfOther }, this.redaction(agentId), this.deps.t);
  }

  /** The report of the last test, without secrets and without the names of the user and of the machine. */
  reportOf(agentId: string): string | undefined {
    const test = this.tests.get(agentId);
    if (!test?.findings) {
      return undefined;
    }
    const person = anonymous({ home: homedir(), userName: userName(), hostName: hostname() });
    const redact = this.redaction(agentId);
    const state = testState(test.findings, this.factsOf(test), redact, this.deps.t);
    return reportText(state, this.factsOf(test), (text) => person(redact(text)), this.deps.t);
  }

  dispose(): void {
    this.tests.forEach(({ abort }) => abort.abort());
  }

  private factsOf({ entry: { agentId, agentName }, version }: AgentTest): ReportFacts {
    return { agentId, agentName, version, environment: this.deps.environment };
  }

  /** The redaction of the protocol log. */
  private redaction(agentId: string): (text: string) => string {
    const redaction = new Redaction(() => this.deps.secretsOf(agentId));
    return (text) => redaction.text(text);
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // Some containers have no entry for their user.
  }
}
