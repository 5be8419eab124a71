/** The facts, links, versions and log of an agent's page. Pure. */
import { LineRedaction } from '../../../acp/redaction/lineRedaction';
import type { AgentTrace } from '../../../acp/trace/traces';
import { packageRunnerOf } from '../../../agent/packageRunner';
import { shownEndpoint } from '../../../acp/redaction/launchSecrets';
import type { AgentAction, LogLine, PageFact, PageLink, PageSection, VersionRow } from '../../../core/agents/agentsPage';
import { isProcess } from '../../../core/agents/endpoint';
import { compareVersions } from '../../../registry/versions';
import { oneLine } from '../../../text/characters/textSafety';
import type { TranslateVerbatim } from '../../shared/translate';
import { type AgentFacts, hasUpdate } from './agentFacts';
import type { PastTest } from './pastTests';

const MAX_VALUE = 300;
const MAX_COMMAND = 8000;
/** The newest lines of an agent's log that the page shows. */
const MAX_LINES = 300;
const MAX_LINE = 2000;

/** @param language a BCP 47 tag */
export function detailSections(
  { key, registry, installed, entry }: AgentFacts,
  language: string,
  t: TranslateVerbatim,
): readonly PageSection[] {
  const date = (at: number): string => new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
  const facts: (PageFact | undefined)[] = [
    { label: t('Identifier'), value: oneLine(key, MAX_VALUE) },
    fact(t('Version'), installed?.current.version ?? registry?.version),
    registry && installed && registry.version !== installed.current.version ? fact(t('Newest'), registry.version) : undefined,
    fact(t('License'), registry?.license),
    fact(t('Maker'), registry?.authors.join(', ')),
    fact(t('Package'), installed?.current.source ?? registry?.ways.map((way) => (way.kind === 'binary' ? way.archive : way.package))[0]),
    fact(t('Registry'), registry?.origin ?? installed?.origin),
    installed && { label: t('Installed on'), value: date(installed.current.installedAt) },
    fact(t('Folder'), installed?.current.folder),
    entry ? { label: t('Command'), value: oneLine(shownEndpoint(entry.launch), MAX_COMMAND) } : undefined,
    entry && isProcess(entry.launch) && packageRunnerOf(entry.launch) !== undefined && !installed
      ? { label: t('Start'), value: t('The package is fetched at each start. Install the agent to start faster, and without a network.') }
      : undefined,
  ];
  return [{ title: t('Facts'), facts: facts.filter((each) => each !== undefined) }];
}

/** The results of tests of the agent on this machine. @param language a BCP 47 tag */
export function testSections(tests: readonly PastTest[], language: string, t: TranslateVerbatim): readonly PageSection[] {
  const words = { passed: t('Passed'), sign_in: t('Sign-in needed'), failed: t('Found a problem') };
  const rows = tests.map(({ version, at, result }): PageFact => {
    const date = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
    return { label: date, value: [words[result], ...(version === undefined ? [] : [oneLine(version, MAX_VALUE)])].join(' · ') };
  });
  return rows.length === 0 ? [] : [{ title: t('Tests on This Machine'), facts: rows }];
}

function fact(label: string, value: string | undefined): PageFact | undefined {
  return value === undefined || value === '' ? undefined : { label, value: oneLine(value, MAX_VALUE) };
}

/** The addresses of a manifest that can be opened. */
export function pageLinks({ registry }: Pick<AgentFacts, 'registry'>, t: TranslateVerbatim): readonly PageLink[] {
  const links = [
    [t('Website'), registry?.website],
    [t('Repository'), registry?.repository],
    [t('License'), registry?.licenseUrl],
  ] as const;
  return links.flatMap(([label, href]) => (href !== undefined && isWebAddress(href) ? [{ label, href }] : []));
}

/** True for an http or https address without a name or password in it, which would hide the host. */
export function isWebAddress(href: string): boolean {
  if (!URL.canParse(href)) {
    return false;
  }
  const { protocol, username, password } = new URL(href);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** @param language a BCP 47 tag */
export function versionRows(
  facts: Pick<AgentFacts, 'registry' | 'installed'>,
  language: string,
  t: TranslateVerbatim,
): readonly VersionRow[] {
  const { registry, installed } = facts;
  const row = (version: string, about: string, actions: readonly AgentAction[] = [], isCurrent = false): VersionRow => ({
    version: oneLine(version, MAX_VALUE),
    about,
    isCurrent,
    actions,
  });
  const installedOn = (at: number): string =>
    t('Installed on {date}', { date: new Date(at).toLocaleDateString(language, { dateStyle: 'medium' }) });
  const canInstall = registry !== undefined && registry.problem === undefined && registry.ways.length > 0;
  const others = installed?.previous ?? [];
  const isListed = (version: string): boolean => [installed?.current, ...others].some((each) => each?.version === version);
  const rows = [
    ...(registry && !isListed(registry.version)
      ? [row(registry.version, t('Newest version in the registry'), hasUpdate(facts) ? ['update'] : canInstall ? ['install'] : [])]
      : []),
    ...(installed
      ? [row(installed.current.version, installedOn(installed.current.installedAt), [installed.pinned ? 'unpin' : 'pin'], true)]
      : []),
    ...others.map(({ version, installedAt }) => row(version, installedOn(installedAt), ['use_version'])),
  ];
  return rows.sort((a, b) => compareVersions(b.version, a.version));
}

/** The lines of stderr and the remarks of an agent's processes in this window, the newest last. @param language a BCP 47 tag */
export function logLines(traces: readonly AgentTrace[], language: string, t: TranslateVerbatim): readonly LogLine[] {
  const lines = traces.flatMap(({ trace, redaction, startedAt, commandLine, address }) => {
    // A secret of several lines is found line by line.
    const output = new LineRedaction(redaction);
    const row = (at: number, text: string, isNote: boolean): LogLine => ({
      time: new Date(at).toLocaleTimeString(language),
      text: oneLine(text, MAX_LINE),
      ...(isNote && { isNote }),
    });
    const entries = [...trace.entries()].filter(({ kind }) => kind === 'stderr' || kind === 'note' || kind === 'noise');
    return [
      row(startedAt, t('Started: {command}', { command: commandLine ?? address ?? '' }), true),
      ...entries.map(({ at, kind, text }) => row(at, kind === 'note' ? redaction.text(text) : output.line(text), kind === 'note')),
    ];
  });
  return lines.slice(-MAX_LINES);
}
