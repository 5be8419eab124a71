/** Downloads a Node.js for agents into the extension's storage, when the user agrees. Loaded with the first failure that it helps. */
import * as vscode from 'vscode';
import type { ManagedNodes } from '../../agent/node/managedNode';
import { inertLine } from '../../application/shared/escape';
import { nodeFailureText } from '../../application/agents/nodeText';
import { NODE_DOWNLOAD } from '../../application/shared/failureActions';
import type { Session } from '../../session/session';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface InstallNodeDependencies {
  readonly activity: UserActivity;
  readonly nodes: ManagedNodes;
  /** Opens a page in the browser. */
  openPage(address: string): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

/** @param session starts again when the Node.js is installed. Without one, or where no download fits, the page of Node.js opens. */
export async function installNode(deps: InstallNodeDependencies, session: Session | undefined): Promise<void> {
  const { activity, nodes, openPage } = deps;
  const required = session?.store.state.failure?.params?.['required'];
  const size = nodes.sizeFor(required === undefined ? undefined : `>=${required}`);
  if (!session || size === undefined) {
    return openPage(NODE_DOWNLOAD);
  }
  const [download, page] = [t('Download'), t('Open nodejs.org')];
  const message = t('Download Node.js {version} for your agents?', { version: inertLine(String(nodes.major)) });
  const detail = t(
    'It comes from npm ({size} MB) and is stored in the folder of ACP Host. Only agents use it: your terminals, projects and the commands of agents keep their own Node.js.',
    { size: inertLine(String(Math.round(size / MEGABYTE))) },
  );
  const chosen = await activity.during(() => window.showInformationMessage(message, { modal: true, detail }, download, page));
  if (chosen === page) {
    return openPage(NODE_DOWNLOAD);
  }
  if (chosen === download && (await downloaded(nodes))) {
    session.act(session.store.state.status === 'failed' ? 'retry' : 'restart');
  }
}

/** Resolves to false when the user has cancelled, or the download has failed. */
async function downloaded(nodes: ManagedNodes): Promise<boolean> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Downloading Node.js…') };
  return window.withProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    let percent = 0;
    try {
      await nodes.install((done, total) => {
        const now = Math.floor((done / total) * 100);
        if (now > percent) {
          progress.report({ increment: now - percent });
          percent = now;
        }
      }, cancelled.signal);
      return true;
    } catch (error) {
      const text = nodeFailureText(error, t);
      if (text) {
        void window.showErrorMessage(text);
      }
      return false;
    }
  });
}
