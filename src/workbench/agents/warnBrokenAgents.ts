/** Reports entries of `acpHost.agents` that can't be used, or only in part: all of them in one notification. */
import type { Failure } from '../../core/model/failure';
import type { InertText } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import { brokenAgentsNotice, nameOf, problemReasons, problemsByAgent } from '../../application/agents/brokenAgents';
import { revealAgentsSetting } from './revealSetting';

/** The last notice that this window has shown. */
let shown: InertText | undefined;

/** Shows the problems once per window, until they change. @param problems see `parseAgents` */
export async function warnBrokenAgents(problems: readonly Failure[]): Promise<void> {
  const notice = brokenAgentsNotice(problems, t);
  if (notice?.text === shown) {
    return;
  }
  shown = notice?.text;
  if (!notice) {
    return;
  }
  const [openSettings, showAll] = [t('Open Settings'), t('Show All')];
  const button = await window.showWarningMessage(notice.text, openSettings, ...(notice.rest > 0 ? [showAll] : []));
  if (button === openSettings) {
    await revealAgentsSetting(problemsByAgent(problems)[0]?.agentName);
  } else if (button === showAll) {
    await pickProblem(problems);
  }
}

/** Lists the agents with their problems. A choice opens the setting. */
async function pickProblem(problems: readonly Failure[]): Promise<void> {
  const rows = problemsByAgent(problems).map((each) => ({
    label: nameOf(each),
    detail: problemReasons(each, t),
    agentName: each.agentName,
  }));
  const chosen = await window.showQuickPick(rows, { placeHolder: t('Select an agent to edit its setting'), matchOnDetail: true });
  if (chosen) {
    await revealAgentsSetting(chosen.agentName);
  }
}
