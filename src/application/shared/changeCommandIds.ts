/** Commands of the review of changes, registered from package.json; what they do is loaded with the first of them. */
import { documentSchemes } from './ids';

const changeCommandNames = [
  'nextChange',
  'previousChange',
  'keepChange',
  'undoChange',
  'keepFileChanges',
  'undoFileChanges',
  'keepAllChanges',
  'undoAllChanges',
  'reviewAllChanges',
  'openFileChanges',
  'restoreCheckpoint',
  'undoRestore',
  'applyUndoneChange',
  'reviewSessionChanges',
  'keepTurnChanges',
  'undoTurnChanges',
  'markChangeReviewed',
  'acceptProposedChange',
  'rejectProposedChange',
  'showProposedChange',
  'deleteCheckpoints',
  'addComment',
  'commentForAgent',
  'deleteComment',
  'openPlan',
] as const;
export type ChangeCommandName = (typeof changeCommandNames)[number];
/** Ids by the name used in code. */
export const changeCommands = Object.fromEntries(changeCommandNames.map((name) => [name, `acpHost.${name}`])) as {
  readonly [Name in ChangeCommandName]: `acpHost.${Name}`;
};

export function isChangeCommand(name: string): name is ChangeCommandName {
  return name in changeCommands;
}

export const baselineScheme = documentSchemes.baseline;
export const versionScheme = documentSchemes.version;
export const proposalScheme = documentSchemes.proposal;
export const planScheme = documentSchemes.plan;
/** Comments on lines; `commentController` in `when` clauses. */
export const commentsController = 'acpHostComments';
/** The source control; `scmProvider` in `when` clauses. */
export const changesProvider = 'acpHostChanges';
