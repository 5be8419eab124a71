/** The permission audit of the window: it follows the sessions, and **ACP: Show Permission Audit** shows it as a read-only document. */
import * as vscode from 'vscode';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { Sessions } from '../../session/sessions';
import { Audit } from '../../application/permission/audit/audit';
import type { AuditEntry } from '../../application/permission/audit/auditEntry';
import { AuditFiles } from '../../application/permission/audit/auditFiles';
import { auditText } from '../../application/permission/audit/auditText';
import type { UserRules } from '../../application/permission/rules/userRules';
import { inertLine } from '../../application/shared/escape';
import { documentSchemes, settings } from '../../application/shared/ids';
import { DisposableStore } from '../../util/disposable';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import { userValue } from '../settings/userValue';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 3650;
/** UTF-16 units of a session's title in the list. */
const MAX_TITLE = 80;

export interface PermissionAuditDependencies {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly activity: Pick<UserActivity, 'during'>;
  /** The folder of the audit's files, which exists from the first entry on. */
  readonly auditFolder: string;
  secretsOf(agentId: string): readonly string[];
}

type Row = Item & { readonly sessionId?: string };

export class PermissionAudit implements Disposable {
  private readonly store = new DisposableStore();
  readonly audit: Audit;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private isRegistered = false;
  /** The texts of the open documents, by address. */
  private readonly texts = new Map<string, string>();

  constructor(private readonly deps: PermissionAuditDependencies) {
    this.audit = this.store.add(new Audit({ ...deps, files: new AuditFiles(deps.auditFolder, auditDays) }));
    this.store.add(this.changed);
  }

  /** Follows all sessions of the window until disposed. */
  follow(sessions: Pick<Sessions, 'all' | 'onChange'>): void {
    const follow = (): void => this.audit.follow(sessions.all);
    this.store.add(sessions.onChange(follow));
    follow();
  }

  /** Records the changes of the user's rules until disposed. */
  async followRules(rules: Pick<UserRules, 'list' | 'onDidChange'>, sessions: Pick<Sessions, 'all'>): Promise<void> {
    const { auditRules } = await import('../../application/permission/audit/auditRules');
    const { clock } = this.deps;
    this.store.add(
      auditRules({
        rules,
        clock,
        t: verbatim,
        sessions: () => sessions.all,
        isMeant: () => vscode.window.state.focused,
        record: (entry) => this.audit.record(entry),
      }),
    );
  }

  read(sessionId?: string): Promise<readonly AuditEntry[]> {
    return this.audit.read(sessionId);
  }

  /** Shows the audit of a session, or of all. The user chooses when no session is given and there are several. */
  async show(sessionId?: unknown): Promise<void> {
    const entries = await this.audit.read();
    const chosen = typeof sessionId === 'string' ? { sessionId } : await this.choose(entries);
    if (!chosen) {
      return;
    }
    const shown = chosen.sessionId === undefined ? entries : entries.filter((entry) => entry.sessionId === chosen.sessionId);
    const session = chosen.sessionId === undefined ? undefined : (shown.at(-1)?.session ?? chosen.sessionId);
    this.register();
    // The query identifies the session; the path is the document's name.
    const uri = vscode.Uri.from({ scheme: documentSchemes.audit, path: `/${t('Permission Audit')}.txt`, query: chosen.sessionId ?? '' });
    this.texts.set(uri.toString(), auditText(shown, auditAbout(session), verbatim));
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  private register(): void {
    if (!this.isRegistered) {
      this.isRegistered = true;
      const provideTextDocumentContent = (uri: vscode.Uri): string => this.texts.get(uri.toString()) ?? '';
      this.store.add(registerDocuments(documentSchemes.audit, { onDidChange: this.changed.event, provideTextDocumentContent }));
      this.store.add(onDidCloseDocument(({ uri }) => void this.texts.delete(uri.toString())));
    }
  }

  /** Resolves to undefined when the user cancels. */
  private async choose(entries: readonly AuditEntry[]): Promise<{ readonly sessionId?: string } | undefined> {
    // The newest title of a session counts, and the newest session comes first.
    const newest = new Map(entries.filter(({ sessionId }) => sessionId !== '').map((entry) => [entry.sessionId, entry]));
    const sessions = [...newest.values()].sort((one, other) => other.at - one.at);
    if (sessions.length < 2) {
      return {};
    }
    const rows = sessions.map(
      ({ sessionId, session = '', agent }): Row => ({
        sessionId,
        label: inertLine(session, MAX_TITLE) || inertLine(agent, MAX_TITLE),
        description: inertLine(agent, MAX_TITLE),
      }),
    );
    const all: Row = { label: t('All Sessions') };
    const options = { title: t('Permission Audit'), placeHolder: t('Select a session'), matchOnDescription: true };
    return this.deps.activity.during(() => window.showQuickPick<Row>([all, separator(), ...rows], options));
  }
}

/** The heading of a document. @param session the title of the only session */
export function auditAbout(session?: string) {
  return { days: auditDays(), language: vscode.env.language, ...(session !== undefined && { session }) };
}

/** The user's own value: a repository must not delete the audit. */
function auditDays(): number {
  const days = userValue<unknown>(settings.permissionsAuditDays);
  return typeof days === 'number' && Number.isFinite(days) ? Math.min(Math.max(0, Math.floor(days)), MAX_DAYS) : DEFAULT_DAYS;
}
