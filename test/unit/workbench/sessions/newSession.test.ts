import assert from 'node:assert/strict';
import type { NewSessionChoice, NewSessionDependencies } from '../../../../src/workbench/sessions/newSession';
import { enterVscode } from '../../../support/fakeVscode';

const PRESETS = { Review: { agent: 'B', options: { mode: 'plan' } }, Here: { agent: 'A' } };

/** @param defaults `acpHost.defaultPreset` by folder */
async function choose(
  defaults: Readonly<Record<string, string>>,
  pickedFolder = '',
  answer: string | undefined = 'Use the Preset',
): Promise<{ choice: NewSessionChoice | undefined; warnings: string[]; asked: string[] }> {
  const folders = Object.keys(defaults).map((fsPath, index) => ({ name: fsPath.slice(3), index, uri: { scheme: 'file', fsPath } }));
  const warnings: string[] = [];
  const asked: string[] = [];
  const leave = enterVscode({
    workspace: {
      workspaceFolders: folders,
      isTrusted: true,
      getWorkspaceFolder: ({ fsPath }: { fsPath: string }) => folders.find(({ uri }) => uri.fsPath === fsPath),
      getConfiguration: (_: unknown, uri?: { fsPath: string }) => ({
        get: () => defaults[uri?.fsPath ?? ''],
        inspect: (name: string) =>
          name === 'acpHost.defaultPreset'
            ? { workspaceFolderValue: defaults[uri?.fsPath ?? ''] }
            : { globalValue: PRESETS, globalLocalValue: PRESETS },
      }),
    },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    ThemeIcon: class {},
    QuickPickItemKind: { Separator: -1 },
    l10n: { t: (message: string) => message },
    window: {
      showInformationMessage: async (message: string) => {
        asked.push(message);
        return answer;
      },
      showWarningMessage: async (message: string) => void warnings.push(message),
      showQuickPick: async (rows: { label: string }[]) => rows.find(({ label }) => label === pickedFolder),
    },
  });
  try {
    const { chooseNewSession } = await import('../../../../src/workbench/sessions/newSession');
    const entryOf = (agentName: string) => ({ agentId: agentName, agentName, source: 'user', launch: { agentId: agentName } });
    const deps = {
      activity: { during: (act: () => unknown) => act() },
      agents: () => ({ catalog: { entries: [entryOf('A'), entryOf('B')], problems: [] }, settings: { ignored: [], defaultAgent: 'A' } }),
      globalState: { get: (_: string, otherwise: unknown) => otherwise },
      workspaceState: { get: (_: string, otherwise: unknown) => otherwise, update: async () => undefined },
      storage: '/storage',
    } as unknown as NewSessionDependencies;
    return { choice: await chooseNewSession(deps), warnings, asked };
  } finally {
    leave();
  }
}

describe('the default preset of a folder', () => {
  it('takes the place of the default agent', async () => {
    const { choice } = await choose({ '/w': 'Review' });
    assert.deepEqual([choice?.launch.agentId, choice?.preset?.name, choice?.preset?.options], ['B', 'Review', { mode: 'plan' }]);
  });

  it('is used after a question when a workspace chooses it and it has options', async () => {
    assert.equal((await choose({ '/w': 'Review' })).asked.length, 1);
    const refused = await choose({ '/w': 'Review' }, '', "Don't Use It");
    assert.deepEqual([refused.choice?.launch.agentId, refused.choice?.preset], ['A', undefined]);
    assert.equal((await choose({ '/w': 'Review' }, '', '')).choice?.preset, undefined);
    assert.deepEqual((await choose({ '/w': 'Here' })).asked, [], 'a preset without options and mode is only an agent');
  });

  it("may only be one of the user's", async () => {
    const { choice, warnings } = await choose({ '/w': 'Unknown' });
    assert.deepEqual([choice?.launch.agentId, choice?.preset], ['A', undefined]);
    assert.match(warnings[0]!, /have no preset/);
  });

  it('depends on the chosen folder in a workspace with several', async () => {
    const of = async (folder: string) => (await choose({ '/w/one': 'Here', '/w/two': 'Review' }, folder)).choice;
    const [one, two] = [await of('one'), await of('two')];
    assert.deepEqual([one?.preset?.name, one?.setup.cwd], ['Here', '/w/one']);
    assert.deepEqual([two?.preset?.name, two?.setup.cwd], ['Review', '/w/two']);
  });
});
