/** The findings of a test as steps with advice, and as a report without secrets. Pure. */
import type { AgentAction, PageSection, TestState, TestStep } from '../../../core/agents/agentsPage';
import type { Failure, FailureCode } from '../../../core/model/failure';
import { oneLine } from '../../../text/characters/textSafety';
import { causeAction, causeIn } from '../../../text/messages/causes';
import { durationText } from '../../../text/messages/durations';
import { shortFailure } from '../../../text/messages/failures';
import { statusLabel } from '../../../text/messages/statusText';
import type { TranslateVerbatim } from '../../shared/translate';
import { featureSections } from './agentFeatures';
import type { TestFindings } from './agentTest';
import { detailOf } from './pageWords';
import { startAdvice } from './startAdvice';

const MAX_VALUE = 300;
const MAX_COMMAND = 8000;

/** The failures before a process runs or a connection is open. */
const BEFORE_START: ReadonlySet<FailureCode> = new Set([
  'agent.not_found',
  'agent.not_executable',
  'agent.spawn_failed',
  'agent.start_cancelled',
  'agent.bad_cwd',
  'agent.line_break_in_argument',
  'connection.unsupported',
  'session.folder_untrusted',
  'session.restricted_mode',
]);

export interface ReportFacts {
  readonly agentName: string;
  readonly agentId: string;
  /** The installed version that was tested; undefined for an agent that is not installed. */
  readonly version?: string | undefined;
  /** True when another version starts now. */
  readonly isOfOther?: boolean;
  /** The versions of VS Code, of the extension and of the platform. */
  readonly environment: readonly (readonly [label: string, value: string])[];
}

/** @param withoutSecrets applied to every text of the agent */
export function testState(
  findings: TestFindings,
  { agentName, version, isOfOther, environment }: ReportFacts,
  withoutSecrets: (text: string) => string,
  t: TranslateVerbatim,
): TestState {
  const { isRunning, failure, dialect, command, cwd } = findings;
  const agent = oneLine(agentName, MAX_VALUE);
  const shown = (text: string): string => oneLine(withoutSecrets(text), MAX_VALUE);
  const steps = stepsOf(findings, shown, withoutSecrets, t);
  const sections: PageSection[] = [
    {
      title: t('Start'),
      facts: [
        ...(command === undefined ? [] : [{ label: t('Command'), value: oneLine(withoutSecrets(command), MAX_COMMAND) }]),
        { label: t('Folder'), value: shown(cwd) },
        ...(version === undefined ? [] : [{ label: t('Installed version'), value: shown(version) }]),
        ...environment.map(([label, value]) => ({ label, value: shown(value) })),
      ],
    },
  ];
  if (dialect) {
    const { agent: info = {}, protocolVersion, authMethods, sessionCapabilities, promptCapabilities, mcpCapabilities } = dialect;
    sections.push({
      title: t('Handshake'),
      facts: [
        { label: t('Protocol'), value: t('Version {version}', { version: protocolVersion }) },
        { label: t('Name'), value: shown(info.title ?? info.name ?? t('Not given')) },
        { label: t('Version'), value: shown(info.version ?? t('Not given')) },
        {
          label: t('Sign-in methods'),
          value: authMethods.length === 0 ? t('None') : authMethods.map(({ name, methodId }) => shown(name || methodId)).join(', '),
        },
      ],
    });
    sections.push(...featureSections({ session: sessionCapabilities, prompt: promptCapabilities, mcp: mcpCapabilities }, t));
  }
  const other = isOfOther && version !== undefined ? [t('The tested version is {version}.', { version: shown(version) })] : [];
  return {
    isRunning,
    ...(!isRunning && { summary: [summaryOf(failure, agent, t), ...other].join(' ') }),
    steps,
    sections,
    actions: isRunning ? ['cancel'] : [...correctionsOf(failure), 'test', 'copy_report'],
  };
}

function summaryOf(failure: Failure | undefined, agent: string, t: TranslateVerbatim): string {
  if (!failure) {
    return t('{agent} works.', { agent });
  }
  switch (failure.code) {
    case 'auth.required':
      return t('{agent} starts and needs you to sign in.', { agent });
    case 'agent.start_cancelled':
      return t('The test was canceled.');
    default:
      return t("{agent} doesn't work yet.", { agent });
  }
}

function stepsOf(
  { isRunning, failure, readyAfter, sessionAfter, command, dialect }: TestFindings,
  shown: (text: string) => string,
  withoutSecrets: (text: string) => string,
  t: TranslateVerbatim,
): readonly TestStep[] {
  const isUnstarted =
    failure !== undefined && (BEFORE_START.has(failure.code) || failure.code.startsWith('sandbox.')) && readyAfter === undefined;
  const titles = [t('Start the program'), t('Agree on the protocol'), t('Open a session')];
  const passed = [
    readyAfter !== undefined || (command !== undefined && !isUnstarted && !isRunning),
    readyAfter !== undefined,
    sessionAfter !== undefined,
  ];
  const results = [
    undefined,
    readyAfter === undefined
      ? undefined
      : t('Version {version}, after {time}', { version: dialect?.protocolVersion ?? 1, time: durationText(readyAfter, t) }),
    sessionAfter === undefined ? undefined : t('After {time}', { time: durationText(sessionAfter, t) }),
  ];
  const failed = failure === undefined ? -1 : isUnstarted ? 0 : passed.indexOf(false, 1);
  return titles.map((title, index): TestStep => {
    const result = results[index];
    if (failure && index === failed) {
      const needsSignIn = failure.code === 'auth.required';
      const advice = startAdvice(failure, t);
      const detail = needsSignIn ? undefined : detailOf(failure, withoutSecrets);
      return {
        state: needsSignIn ? 'attention' : 'failed',
        title,
        result: shortFailure(failure, t, shown),
        ...(advice !== '' && { advice }),
        ...(detail !== undefined && { detail }),
      };
    }
    if (passed[index]) {
      return { state: 'passed', title, ...(result !== undefined && { result }) };
    }
    const isNext = isRunning && passed.slice(0, index).every(Boolean);
    return { state: isNext ? 'running' : 'skipped', title };
  });
}

/** The actions that may correct the failure. */
function correctionsOf(failure: Failure | undefined): readonly AgentAction[] {
  const cause = causeIn(failure?.params);
  const action = cause && causeAction(cause);
  if (failure?.params?.['earlierVersion'] !== undefined) {
    return ['roll_back'];
  }
  if (failure?.code === 'auth.required') {
    return failure.params?.['methods'] === undefined ? [] : ['sign_in'];
  }
  if (action === 'sign_in') {
    return ['sign_in'];
  }
  if (action === 'install_node') {
    return ['install_node'];
  }
  if (failure?.params?.['isInstalled'] === 'yes') {
    return ['show_log'];
  }
  return failure && /^(?:agent|sandbox|protocol)\./.test(failure.code) && failure.code !== 'agent.start_cancelled' ? ['settings'] : [];
}

/** The report as Markdown for the clipboard. @param withoutSecrets applied to the whole text, line by line */
export function reportText(
  state: TestState,
  { agentName, agentId }: ReportFacts,
  withoutSecrets: (text: string) => string,
  t: TranslateVerbatim,
): string {
  const marks: Readonly<Record<TestStep['state'], string>> = { passed: '✓', failed: '✗', attention: '!', skipped: '–', running: '…' };
  const lines = [
    `# ${t('Test of {agent}', { agent: `${agentName} (${agentId})` })}`,
    '',
    state.summary ?? statusLabel('in_progress', t, withoutSecrets),
    '',
    ...state.steps.flatMap(({ state: result, title, result: text, advice, detail }) => [
      `- ${marks[result]} ${[title, text].filter(Boolean).join(': ')}`,
      ...(advice === undefined ? [] : [`  ${advice}`]),
      ...(detail === undefined ? [] : ['', '  ```', ...detail.split('\n').map((line) => `  ${line}`), '  ```']),
    ]),
    ...state.sections.flatMap(({ title, facts }) => [
      '',
      `## ${title}`,
      '',
      ...facts.map(({ label, value, mark }) => `- ${mark === 'no' ? '✗ ' : mark === 'yes' ? '✓ ' : ''}${label}: ${value}`),
    ]),
    '',
  ];
  return lines.map(withoutSecrets).join('\n');
}
