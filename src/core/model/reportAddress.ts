/** The address of the report that a prompt carries, and its summary for the user. Pure. */
import { decoded } from './attachment';
import type { ChangeReportSummary, ReportedFile } from '../fileChanges/changeReport';

const ADDRESS = /^(acp-host:\/[a-z0-9-]+\/your-changes-\d+\.md)(?:\?(.*))?$/;

/** True for the resource that such a report is sent as. */
export function isReportUri(uri: string): boolean {
  return ADDRESS.test(uri);
}

/** Returns the address of a report without its summary; undefined for another address. */
export function reportAddress(uri: string): string | undefined {
  return ADDRESS.exec(uri)?.[1];
}

/**
 * Returns the address of a report. Its query has the summary that the user sees after it was sent: the only file, or the number of files.
 *
 * @param count of the session's reports, from 1
 */
export function reportUri(sessionKey: string, count: number, files: ChangeReportSummary = []): string {
  const [only] = files;
  const summary =
    files.length > 1
      ? `?files=${files.length}`
      : only
        ? `?${Object.entries({ ...only, path: only.path.replace(/^.*[\\/]/s, '') })
            .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
            .join('&')}`
        : '';
  return `acp-host:/${sessionKey}/your-changes-${count}.md${summary}`;
}

/** The subject of a sent report. */
export interface SentReport {
  /** The number of files; undefined in a report of an earlier version, which did not say it. */
  readonly files?: number;
  /** The only file, with its name in place of its path. */
  readonly only?: ReportedFile;
}

/** Returns the subject of the report at this address; undefined for another address. */
export function sentReport(uri: string): SentReport | undefined {
  const match = ADDRESS.exec(uri);
  if (!match) {
    return undefined;
  }
  const values = new Map(
    (match[2] ?? '').split('&').map((part): [string, string | undefined] => [part.split('=')[0]!, part.split('=')[1]]),
  );
  const number = (name: string): number | undefined => {
    const value = Number(values.get(name));
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const files = number('files');
  const path = values.get('path');
  if (path === undefined) {
    return files === undefined ? {} : { files };
  }
  const [undone, changed, applied] = [number('undone'), number('changed'), number('applied')];
  const whole = values.get('whole');
  return {
    files: 1,
    only: {
      path: decoded(path),
      ...(undone !== undefined && { undone }),
      ...(changed !== undefined && { changed }),
      ...(applied !== undefined && { applied }),
      ...((whole === 'undone' || whole === 'restored' || whole === 'deleted') && { whole }),
    },
  };
}
