/** **ACP: Replay Log…**: shows a saved log as a read-only conversation. The formats of a log are described in `acp/replay/logLines.ts`. */
import * as vscode from 'vscode';
import path from 'node:path';
import { replayStream } from '../../acp/replay/replay';
import { LOGGED_V1 } from '../../acp/v1/clientFrames';
import { LOGGED_V2 } from '../../acp/v2/clientFrames';
import type { Recording } from '../../acp/replay/recording';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import type { SessionPanels } from '../chat/panels';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface ReplayLogDependencies {
  readonly sessions: Sessions;
  readonly panels: SessionPanels;
  readonly activity: UserActivity;
}

/** The maximum number of bytes that are read of a log. */
const MAX_BYTES = 200 * 1024 * 1024;
/** The number of bytes that are read at once: a few ms of parsing. */
const CHUNK = 128 * 1024;
/** The size in bytes from which reading shows progress and can be cancelled. */
const LARGE = 4 * 1024 * 1024;

/** @param source the log; the user is asked when it is absent */
export async function replayLog(deps: ReplayLogDependencies, source?: unknown): Promise<void> {
  const uri = source instanceof vscode.Uri ? source : await deps.activity.during(askWhich);
  if (!uri) {
    return;
  }
  const fileName = path.basename(uri.path);
  const { size, mtime } = await vscode.workspace.fs.stat(uri);
  const read = (pause: (bytes: number) => Promise<void>): ReturnType<typeof replayStream> =>
    replayStream(chunksOf(uri), { startedAt: mtime, agentName: fileName, versions: [LOGGED_V2, LOGGED_V1], maxBytes: MAX_BYTES, pause });
  const log = size < LARGE ? await read(rest) : await readLarge(fileName, Math.min(size, MAX_BYTES), read);
  if (!log) {
    return;
  }
  const recording = await choose(log.sessions, deps.activity);
  if (recording) {
    deps.panels.open(show(deps.sessions, recording, fileName));
  }
  if (log.sessions.length === 0) {
    void window.showWarningMessage(t('No conversation found in {file}.', { file: inertLine(fileName, 80) }));
  } else if (!log.isWhole) {
    const megabytes = MAX_BYTES / 1024 / 1024;
    void window.showWarningMessage(
      t('{file} is too large. Only the first {megabytes} MB are shown.', {
        file: inertLine(fileName, 80),
        megabytes,
      }),
    );
  }
}

function askWhich(): Thenable<vscode.Uri | undefined> {
  const filters = { [t('Protocol logs')]: ['ndjson', 'jsonl', 'json', 'log', 'txt'], [t('All files')]: ['*'] };
  return window.showOpenDialog({ title: t('Replay Log'), openLabel: t('Replay'), filters }).then((uris) => uris?.[0]);
}

/** Resolves to undefined when the user cancels. */
async function readLarge<T>(
  fileName: string,
  size: number,
  read: (pause: (bytes: number) => Promise<void>) => Promise<T>,
): Promise<T | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: t('Reading {file}', { file: inertLine(fileName, 80) }),
  };
  return window.withProgress(options, async (progress, token) => {
    let lastPercent = 0;
    const pause = async (bytes: number): Promise<void> => {
      if (token.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
      const percent = Math.floor((bytes / size) * 100);
      if (percent > lastPercent) {
        progress.report({ increment: percent - lastPercent });
        lastPercent = percent;
      }
      await rest();
    };
    try {
      return await read(pause);
    } catch (error) {
      if (error instanceof vscode.CancellationError) {
        return undefined;
      }
      throw error;
    }
  });
}

/** Lets other work run. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function* chunksOf(uri: vscode.Uri): AsyncIterable<Uint8Array> {
  if (uri.scheme === 'file') {
    const { createReadStream } = await import('node:fs');
    yield* createReadStream(uri.fsPath, { highWaterMark: CHUNK }) as AsyncIterable<Uint8Array>;
    return;
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  for (let start = 0; start < bytes.length; start += CHUNK) {
    yield bytes.subarray(start, start + CHUNK);
  }
}

/** Returns the only session of a log, or the one that the user chooses. */
async function choose(sessions: readonly Recording[], activity: UserActivity): Promise<Recording | undefined> {
  if (sessions.length < 2) {
    return sessions[0];
  }
  const rows = sessions.map((recording) => {
    const { firstPrompt, length } = recording;
    const { title, sessionId = '', cwd } = recording.state;
    return {
      label: inertLine(title || firstPrompt || sessionId || t('Untitled'), 100),
      description: length === 1 ? t('1 entry') : t('{count} entries', { count: length }),
      detail: inertLine([sessionId, cwd].filter((word) => word !== '').join(' · '), 200),
      recording,
    };
  });
  const options = { placeHolder: t('Select the session to replay'), matchOnDescription: true, matchOnDetail: true };
  return (await activity.during(() => window.showQuickPick(rows, options)))?.recording;
}

/** Shows the recording. The log's folder is shown as text and never used. */
function show(sessions: Sessions, { state, events }: Recording, fileName: string): Session {
  const session = sessions.addRecorded(state.agentName, state, events.length);
  session.store.append({ type: 'session_info', title: fileName });
  return session;
}
