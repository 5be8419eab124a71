/** A session's plan as a read-only document, which follows the plan and can be commented. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import { planScheme } from '../../application/shared/changeCommandIds';
import { editorColumn } from '../window/columns';
import { t } from '../shared/l10n';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import { window } from '../shared/window';
import { plansToShow, planText } from '../../application/comments/planText';

export class PlanDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly followed = new Map<string, Disposable>();

  constructor(private readonly sessions: Pick<Sessions, 'get'>) {
    this.store.add(
      registerDocuments(planScheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => {
          const session = this.sessionOf(uri);
          return session ? planText(plansToShow(session.store.state)) : '';
        },
      }),
    );
    this.store.add(
      onDidCloseDocument(({ uri }) => {
        this.followed.get(uri.query)?.dispose();
        this.followed.delete(uri.query);
      }),
    );
  }

  sessionOf({ query }: vscode.Uri): Session | undefined {
    return this.sessions.get(query);
  }

  async open(session: Session | undefined): Promise<void> {
    if (!session || planText(plansToShow(session.store.state)) === '') {
      void window.showInformationMessage(t('This session has no plan.'));
      return;
    }
    const uri = vscode.Uri.from({ scheme: planScheme, path: '/Plan.md', query: session.key });
    if (!this.followed.has(session.key)) {
      this.followed.set(
        session.key,
        session.store.onEvents((_, events, whole) => {
          if (whole || events.some(({ type }) => type === 'plan_update' || type === 'plan_removed')) {
            this.changed.fire(uri);
          }
        }),
      );
    }
    await vscode.window.showTextDocument(uri, { viewColumn: editorColumn(), preview: true });
  }

  dispose(): void {
    this.followed.forEach((subscription) => subscription.dispose());
    this.store.dispose();
  }
}
