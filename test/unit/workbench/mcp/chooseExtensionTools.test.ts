import assert from 'node:assert/strict';
import { enterVscode } from '../../../support/fakeVscode';

/** Returns the rows that were selected first, and the calls that write settings. */
async function choose(user: Readonly<Record<string, unknown>>, picked: readonly string[]): Promise<{ first: string[]; writes: unknown[] }> {
  const writes: unknown[] = [];
  let first: string[] = [];
  const leave = enterVscode({
    workspace: {
      getConfiguration: () => ({
        inspect: (name: string) => ({ globalValue: user[name] }),
        update: async (name: string, value: unknown) => void writes.push([name, value]),
      }),
    },
    ConfigurationTarget: { Global: 1 },
    l10n: { t: (message: string) => message },
    lm: { tools: ['one', 'two'].map((name) => ({ name, description: '' })) },
    window: {
      showQuickPick: async (rows: { name: string; picked: boolean }[]) => {
        first = rows.filter((row) => row.picked).map(({ name }) => name);
        return rows.filter(({ name }) => picked.includes(name));
      },
    },
  });
  try {
    const { chooseExtensionTools } = await import('../../../../src/workbench/mcp/editor/chooseExtensionTools');
    await chooseExtensionTools({ during: async (act) => act() });
    return { first, writes };
  } finally {
    leave();
  }
}

describe('the choice of tools of other extensions', () => {
  const present = 'acpHost.extensionTools';
  const earlier = 'acpHost.editorTools.extensionTools';

  it("writes the user's setting, and removes an empty one", async () => {
    assert.deepEqual(await choose({ [present]: ['one'] }, ['two']), { first: ['one'], writes: [[present, ['two']]] });
    assert.deepEqual(await choose({ [present]: ['one'] }, []), { first: ['one'], writes: [[present, undefined]] });
  });

  it('takes the place of a list under the earlier name, also when it is empty', async () => {
    assert.deepEqual(await choose({ [earlier]: ['one'] }, ['one', 'two']), { first: ['one'], writes: [[present, ['one', 'two']]] });
    assert.deepEqual(await choose({ [earlier]: ['one'] }, []), { first: ['one'], writes: [[present, []]] });
  });
});
