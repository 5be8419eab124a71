/** **ACP: Export Conversation…**: as Markdown for reading, as JSON for processing, or without secrets for sharing. */
import * as vscode from 'vscode';
import { homedir, hostname, userInfo } from 'node:os';
import path from 'node:path';
import { workingFolder } from '../../core/agents/endpoint';
import { endpointSecrets } from '../../acp/redaction/launchSecrets';
import { Redaction } from '../../acp/redaction/redact';
import { isSecretVariable } from '../../acp/redaction/secretNames';
import { secretValues } from '../../acp/redaction/secretValues';
import { exportLines } from '../../acp/trace/exportLines';
import type { AgentTrace, Traces } from '../../acp/trace/traces';
import type { JournalFiles } from '../../session/journal/journalFiles';
import type { Session } from '../../session/session';
import { anonymous, type Person } from '../../application/export/anonymize';
import { own, inertLine } from '../../application/shared/escape';
import { auditLines, bundleLines, protocolLines } from '../../application/export/exportBundle';
import type { AuditEntry } from '../../application/permission/audit/auditEntry';
import { jsonPieces, markdownPieces } from '../../application/export/exportLines';
import { fenced } from '../../text/markdown/fence';
import { auditAbout } from '../permission/permissionAudit';
import { t, verbatim } from '../shared/l10n';
import { targetOf } from '../documents/saveTarget';
import { saveText } from '../documents/saveText';
import { transcriptStrings } from '../../application/export/transcriptStrings';
import type { UserActivity } from '../shared/userActivity';
import { type Item, type SaveDialogOptions, window } from '../shared/window';
import { sessionTitle } from '../../text/transcript/sessionTitle';

export interface ExportDependencies {
  readonly journals: Pick<JournalFiles, 'lines'>;
  readonly traces: Traces;
  readonly activity: UserActivity;
  /** The version of this extension. */
  readonly version: string;
  /** Resolves when all events are written to the journals. */
  flush(): Promise<void>;
  /** Reads the entries of a session in the permission audit, oldest first. */
  audit(sessionKey: string): Promise<readonly AuditEntry[]>;
  /** Returns the secret values that this agent was given; see `secretValues`. */
  secretsOf(agentId: string): readonly string[];
}

type Format = 'md' | 'json' | 'jsonl';

/** @param target the target file, whose extension decides the format; the user is asked when it is absent */
export async function exportConversation(deps: ExportDependencies, session: Session, target?: unknown): Promise<void> {
  const format = target instanceof vscode.Uri ? formatOf(target) : await chooseFormat(session, deps.activity);
  const place = format && (await targetOf(target, whereTo(session, format), deps.activity));
  if (!format || !place) {
    return;
  }
  const { uri } = place;
  let isSaved = false;
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: t('Saving {file}', { file: inertLine(path.posix.basename(uri.path), 80) }),
  };
  try {
    await window.withProgress(options, async (_progress, token) => {
      await deps.flush();
      isSaved = await saveText(place, () => piecesOf(deps, session, format), deps.activity, token);
    });
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return;
    }
    throw error;
  }
  if (!isSaved) {
    return;
  }
  const open = t('Open');
  const saved =
    format === 'jsonl'
      ? t('Conversation exported. Anything that looks like a secret was removed. Review the file before you share it.')
      : t('Conversation exported with all its content.');
  void window.showInformationMessage(saved, open).then((button) => button === open && vscode.commands.executeCommand('vscode.open', uri));
}

function formatOf({ path: file }: vscode.Uri): Format {
  return file.endsWith('.json') ? 'json' : file.endsWith('.jsonl') ? 'jsonl' : 'md';
}

/** Asks for the format. A replayed conversation offers only Markdown: the log already has the rest. */
async function chooseFormat(session: Session, activity: UserActivity): Promise<Format | undefined> {
  if (session.isRecorded) {
    return 'md';
  }
  const rows: (Item & { readonly format: Format })[] = [
    { format: 'md', label: t('Markdown'), description: own('.md'), detail: t('For reading: messages and tool calls.') },
    {
      format: 'json',
      label: t('JSON'),
      description: own('.json'),
      detail: t('For further processing: all events, with nothing omitted.'),
    },
    {
      format: 'jsonl',
      label: t('Redacted Bundle'),
      description: own('.jsonl'),
      detail: t('For bug reports: all events and the protocol log, without images, your name, and anything that looks like a secret.'),
    },
  ];
  return (await activity.during(() => window.showQuickPick(rows, { placeHolder: t('Select an export format') })))?.format;
}

function whereTo(session: Session, format: Format): SaveDialogOptions {
  const name =
    sessionTitle(session.store.state)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || session.key;
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? homedir();
  const filters = { md: t('Markdown'), json: t('JSON'), jsonl: t('Redacted Bundle') };
  return {
    title: t('Export Conversation'),
    defaultUri: vscode.Uri.file(path.join(folder, `${name}.${format}`)),
    filters: { [filters[format]]: [format] },
  };
}

function piecesOf(deps: ExportDependencies, session: Session, format: Format): Iterable<string> | AsyncIterable<string> {
  const { state } = session.store;
  switch (format) {
    case 'md':
      return withAudit(
        markdownPieces(
          state,
          transcriptStrings(state.agentName, verbatim),
          sessionTitle(state).replace(/\s+/g, ' '),
          secretsOf(deps, session),
        ),
        deps.audit(session.key),
      );
    case 'json':
      return jsonPieces(deps.journals.lines(session.key), secretsOf(deps, session), () => deps.audit(session.key));
    case 'jsonl':
      return bundle(deps, session);
  }
}

/** Adds the permission audit to a conversation, as a block that no Markdown in it leaves. */
async function* withAudit(pieces: Iterable<string>, audit: Promise<readonly AuditEntry[]>): AsyncIterable<string> {
  yield* pieces;
  const entries = await audit;
  if (entries.length > 0) {
    const { auditText } = await import('../../application/permission/audit/auditText');
    const text = auditText(entries, auditAbout(), verbatim);
    yield `\n${fenced(text.trimEnd(), '')}\n`;
  }
}

/** Returns the secrets, also those of an agent that did not run in this window. */
export function secretsOf(deps: Pick<ExportDependencies, 'secretsOf'>, { agentId, launch }: Session): readonly string[] {
  return [...deps.secretsOf(agentId), ...(launch ? endpointSecrets(launch) : [])];
}

async function* bundle(deps: ExportDependencies, session: Session): AsyncIterable<string> {
  const { journals, traces, version } = deps;
  const { agent } = session.store.state;
  const secret = Object.entries(process.env).filter(([name, value]) => value && isSecretVariable(name)) as [string, string][];
  const redaction = new Redaction([...secretValues(Object.fromEntries(secret)), ...secretsOf(deps, session)], anonymous(person()));
  const facts = {
    vscode: vscode.version,
    extension: version,
    platform: `${process.platform} ${process.arch}`,
    agentInfo: agent && { ...agent },
  };
  yield* bundleLines(journals.lines(session.key), facts, redaction);
  yield* auditLines(await deps.audit(session.key), redaction);
  for (const trace of traces.all.filter((each) => isOf(each, session))) {
    yield* protocolLines(exportLines({ ...trace, redaction }, version));
  }
}

function person(): Person {
  let userName = '';
  try {
    userName = userInfo().username;
  } catch {
    // Some containers have no entry for their user.
  }
  return { home: homedir(), userName, hostName: hostname() };
}

/** An agent's process may have served several conversations of one folder, so its log also has the frames of the others. */
function isOf({ agentId, cwd }: AgentTrace, session: Session): boolean {
  return agentId === session.agentId && cwd === (session.launch ? workingFolder(session.launch, session.roots.cwd) : session.roots.cwd);
}
