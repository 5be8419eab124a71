/** `acpHost.problemsAfterEdits`. */
import { settings } from '../../application/shared/ids';
import { readUserValue } from './agentSettings';

/** Where an agent gets the new problems of the files that it wrote. */
export type ProblemsAfterEdits = 'off' | 'tools' | 'toolsAndPrompt';

export function readProblemsAfterEdits(): ProblemsAfterEdits {
  const { value } = readUserValue(settings.problemsAfterEdits, 'tools');
  return value === 'off' || value === 'toolsAndPrompt' ? value : 'tools';
}
