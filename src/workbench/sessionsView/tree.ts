/** The rows of the sessions view: which groups there are, what is in them and in which order. Pure. */
import path from 'node:path';
import { isSameFolder } from '../shared/workspacePaths';
import type { SessionFacts, Standing } from './sessionFacts';

/** As `acpHost.sessions.groupBy` says it. */
export type GroupBy = 'state' | 'folder' | 'agent';

/** What is read from the disk a page at a time. */
export type Section = 'here' | 'elsewhere' | 'archived';

export type GroupNode = {
  readonly kind: 'group';
  readonly id: string;
  /** What its words are made of. */
  readonly of:
    | { readonly type: 'standing'; readonly standing: Standing }
    | { readonly type: 'folder'; readonly folder: string }
    | { readonly type: 'agent'; readonly agentName: string }
    | { readonly type: 'pinned' | 'elsewhere' | 'archived' };
  /** Sessions in it; also those that are not read yet. */
  readonly count: number;
  readonly collapsed: boolean;
};
export type SessionNode = { readonly kind: 'session'; readonly id: string; readonly facts: SessionFacts };
export type TreeNode =
  | GroupNode
  | SessionNode
  /** Reads the next page. */
  | { readonly kind: 'more'; readonly id: string; readonly section: Section; readonly left: number }
  /** Asks an agent for its own list: the next page of it where it was asked before. */
  | { readonly kind: 'agent'; readonly id: string; readonly agentName: string; readonly state: AgentListState };

/** idle: not asked yet; more: there are further ones; failed: what it answered was no list. */
export type AgentListState = 'idle' | 'loading' | 'more' | 'failed';

export interface SectionFacts {
  readonly sessions: readonly SessionFacts[];
  /** Those that are on the disk, read or not. */
  readonly total: number;
  /** Not read yet. */
  readonly left: number;
}

export interface TreeFacts {
  readonly groupBy: GroupBy;
  /** Of the workspace. */
  readonly folders: readonly string[];
  readonly here: SectionFacts;
  readonly elsewhere: SectionFacts;
  readonly archived: SectionFacts;
  /** Agents that have a list of their own that is not shown whole. */
  readonly agents: readonly { readonly agentName: string; readonly state: AgentListState }[];
}

export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Ids, by the group's; those of the root by ''. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export const ROOT = '';
export const ELSEWHERE_GROUP = 'group elsewhere';
export const ARCHIVED_GROUP = 'group archived';

/** In the order in which the groups stand; pinned sessions that do not need the user come after the first. */
const STANDINGS: readonly Standing[] = ['needsYou', 'working', 'done', 'resting', 'failed'];

/** Nothing but the sessions: without any, the view is empty, so that its welcome shows. */
export function treeOf({ groupBy, folders, here, elsewhere, archived, agents }: TreeFacts): Tree {
  const nodes = new Map<string, TreeNode>();
  const children = new Map<string, readonly string[]>();
  const root: string[] = [];
  const add = (to: string[], node: TreeNode): void => {
    nodes.set(node.id, node);
    to.push(node.id);
  };
  const addGroup = (of: GroupNode['of'], id: string, section: SectionFacts, collapsed: boolean, more?: Section): void => {
    const count = Math.max(section.total, section.sessions.length);
    if (count === 0) {
      return;
    }
    add(root, { kind: 'group', id, of, count, collapsed });
    const inside: string[] = [];
    for (const facts of newestFirst(section.sessions)) {
      add(inside, { kind: 'session', id: facts.id, facts });
    }
    if (more && section.left > 0) {
      add(inside, { kind: 'more', id: `more ${more}`, section: more, left: section.left });
    }
    children.set(id, inside);
  };
  if (here.sessions.length + here.total + elsewhere.total + elsewhere.sessions.length + archived.total === 0) {
    return { nodes, children: new Map([[ROOT, []]]) };
  }
  for (const { of, id, sessions } of groupsOf(here.sessions, groupBy, folders)) {
    addGroup(of, id, { sessions, total: 0, left: 0 }, false);
  }
  if (here.left > 0) {
    add(root, { kind: 'more', id: 'more here', section: 'here', left: here.left });
  }
  for (const { agentName, state } of agents) {
    add(root, { kind: 'agent', id: `agent list ${agentName}`, agentName, state });
  }
  addGroup({ type: 'elsewhere' }, ELSEWHERE_GROUP, elsewhere, true, 'elsewhere');
  addGroup({ type: 'archived' }, ARCHIVED_GROUP, archived, true, 'archived');
  children.set(ROOT, root);
  return { nodes, children };
}

interface Group {
  readonly of: GroupNode['of'];
  readonly id: string;
  readonly sessions: SessionFacts[];
}

function groupsOf(sessions: readonly SessionFacts[], groupBy: GroupBy, folders: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  const put = (of: GroupNode['of'], id: string, facts: SessionFacts): void => {
    const group = groups.get(id) ?? { of, id, sessions: [] };
    groups.set(id, group);
    group.sessions.push(facts);
  };
  if (groupBy === 'state') {
    const isPinned = ({ pinned, standing }: SessionFacts): boolean => pinned && standing !== 'needsYou';
    for (const standing of STANDINGS) {
      const rest = sessions.filter((facts) => facts.standing === standing && !isPinned(facts));
      rest.forEach((facts) => put({ type: 'standing', standing }, `group state ${standing}`, facts));
      if (standing === 'needsYou') {
        sessions.filter(isPinned).forEach((facts) => put({ type: 'pinned' }, 'group pinned', facts));
      }
    }
    return [...groups.values()];
  }
  // The group of whatever is newest comes first, but the workspace's own folders in their order before others.
  for (const facts of newestFirst(sessions)) {
    if (groupBy === 'folder') {
      put({ type: 'folder', folder: facts.cwd }, `group folder ${path.resolve(facts.cwd)}`, facts);
    } else {
      put({ type: 'agent', agentName: facts.agentName }, `group agent ${facts.agentName}`, facts);
    }
  }
  const placeOf = ({ of }: Group): number => {
    const place = of.type === 'folder' ? folders.findIndex((folder) => isSameFolder(folder, of.folder)) : 0;
    return place < 0 ? folders.length : place;
  };
  return [...groups.values()].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Pinned ones before others; of the same time, always in the same order. */
function newestFirst(sessions: readonly SessionFacts[]): readonly SessionFacts[] {
  return sessions.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.at - a.at || (a.id < b.id ? -1 : 1));
}

/**
 * What of a tree is to be drawn again when it becomes another, by ids of rows; a group's children are drawn with it. [''] is all of it: also where
 * a row moves to another group, since VS Code takes no row that it still has elsewhere.
 */
export function changedRows(before: Tree, after: Tree, same: (a: TreeNode, b: TreeNode) => boolean): readonly string[] {
  const isSameList = (id: string): boolean => {
    const [old, now] = [before.children.get(id) ?? [], after.children.get(id) ?? []];
    return old.length === now.length && old.every((each, index) => each === now[index]);
  };
  const isSameRow = (id: string): boolean => {
    const [old, now] = [before.nodes.get(id), after.nodes.get(id)];
    return old !== undefined && now !== undefined && same(old, now);
  };
  const groups = after.children.get(ROOT) ?? [];
  const lists = groups.filter((id) => !isSameList(id));
  const moves = lists.some((id) => {
    const old = new Set(before.children.get(id));
    return (after.children.get(id) ?? []).some((row) => !old.has(row) && before.nodes.has(row));
  });
  if (!isSameList(ROOT) || moves) {
    return [ROOT];
  }
  return groups.flatMap((id) =>
    lists.includes(id) || !isSameRow(id) ? [id] : (after.children.get(id) ?? []).filter((row) => !isSameRow(row)),
  );
}
