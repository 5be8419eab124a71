/** The start page of an empty conversation. Computed when its page requests it, after the first paint. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isNew, needsInputOnly, needsYou } from '../../core/model/select';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { Roots } from '../../core/model/roots';
import type { ChatLocation, StartPage } from '../../core/protocol/view';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { SessionCatalog } from '../../session/journal/sessionCatalog';
import { NO_MARKS, type SessionMarks } from '../../session/journal/sessionMarks';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { relativeTime } from '../shared/relativeTime';
import type { TranslateVerbatim } from '../shared/translate';

/** The part of a session of this window that the start page needs. */
interface KnownSession {
  readonly key: string;
  readonly roots: Roots;
  readonly store: { readonly state: SessionState };
}

export interface StartPageDependencies {
  readonly journals: Pick<SessionCatalog, 'list'> & { readMarks(key: string): Promise<SessionMarks> };
  /** The sessions of this window. */
  readonly sessions: readonly KnownSession[];
  readonly isDemo: boolean;
  readonly location: ChatLocation;
  /** The document of the text editor that was in front last. */
  readonly document: { readonly uri: { readonly scheme: string; readonly fsPath: string; toString(): string } } | undefined;
  /** ms since the epoch */
  readonly now: number;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly t: TranslateVerbatim;
}

/** The number of sessions that are read. More than `MAX_RECENT`, because some hold no conversation. */
const MAX_JOURNALS = 12;
const MAX_RECENT = 3;
/** The maximum of UTF-16 units in a title or name. */
const MAX_NAME = 200;
/** Files that mark the root of a project. */
const PROJECT =
  /^(?:\.git|package\.json|pyproject\.toml|setup\.py|requirements\.txt|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt|Makefile|composer\.json|Gemfile|mix\.exs|deno\.jsonc?|pubspec\.yaml|Package\.swift|.+\.(?:sln|slnx|csproj|gemspec|cabal))$/;
/** Files that an editor, a system or git creates in an otherwise empty folder. */
const NO_CONTENT = /^(?:\.git|\.vscode|\.idea|\.DS_Store|desktop\.ini|Thumbs\.db)$/;

/** Never rejects: sessions that cannot be read are left out. */
export async function startPageOf(session: KnownSession, deps: StartPageDependencies): Promise<StartPage> {
  const { cwd } = session.roots;
  const [names, recent] = await Promise.all([readdir(cwd).catch(() => undefined), recentIn(session, deps)]);
  const file = fileIn(session.roots, deps.document);
  return {
    demo: deps.isDemo,
    folder: names?.every((name) => NO_CONTENT.test(name)) ? 'empty' : names?.some((name) => PROJECT.test(name)) ? 'project' : 'folder',
    git: names?.includes('.git') === true,
    ...(file && { file }),
    recent,
    location: deps.location,
  };
}

async function recentIn(
  { key, roots }: KnownSession,
  { journals, sessions, now, language, t }: StartPageDependencies,
): Promise<StartPage['recent']> {
  const live = await Promise.all(
    sessions.map(async (each) => ({
      ...summarized(each),
      marks: await journals.readMarks(each.key).catch(() => NO_MARKS),
      needsYou: needsYou(each.store.state),
      needsInput: needsInputOnly(each.store.state),
    })),
  );
  const kept = await journals.list({ folders: [roots.cwd], archived: false, limit: MAX_JOURNALS }).catch(() => undefined);
  const past = (kept?.summaries ?? [])
    .filter((each) => !sessions.some((other) => other.key === each.key))
    .map((each) => ({ ...each, needsYou: false, needsInput: false }));
  return [...live, ...past]
    .filter((each) => each.key !== key && each.cwd === roots.cwd && each.title !== '' && !each.isUnused && !each.marks.archived)
    .toSorted((a, b) => (b.changedAt ?? b.createdAt) - (a.changedAt ?? a.createdAt))
    .slice(0, MAX_RECENT)
    .map(({ key: sessionKey, title, marks, agentName, changedAt, createdAt, needsYou, needsInput }) => ({
      sessionKey,
      title: (marks.name ?? title).slice(0, MAX_NAME),
      about: needsInput
        ? t('{agent}, needs input', { agent: agentName.slice(0, MAX_NAME) })
        : needsYou
          ? t('{agent}, needs approval', { agent: agentName.slice(0, MAX_NAME) })
          : t('{agent}, {time}', { agent: agentName.slice(0, MAX_NAME), time: relativeTime(changedAt ?? createdAt, now, language) }),
    }));
}

/** `title` is empty when the user has not sent a message. */
function summarized({ key, roots, store: { state } }: KnownSession): JournalSummary {
  const last = state.entries.at(state.entries.length - 1);
  const changedAt = last && !isAbsent(last) ? ('updatedAt' in last ? last.updatedAt : last.at) : 0;
  const title = isNew(state) ? '' : sessionTitle(state);
  return { key, agentName: state.agentName, cwd: roots.cwd, createdAt: changedAt, title, changedAt, marks: {} };
}

/** Returns the open file when the agent may access it. */
function fileIn({ cwd, additionalDirectories }: Roots, document: StartPageDependencies['document']): StartPage['file'] {
  if (document?.uri.scheme !== 'file') {
    return undefined;
  }
  const { fsPath } = document.uri;
  const isInside = [cwd, ...additionalDirectories].some((folder) => {
    const from = path.relative(folder, fsPath);
    return from !== '' && from.split(path.sep)[0] !== '..' && !path.isAbsolute(from);
  });
  return isInside ? { name: path.basename(fsPath), uri: document.uri.toString() } : undefined;
}
