import assert from 'node:assert/strict';
import { besideModel } from '../../../../src/acp/v1/configOrder';
import type { ConfigOption } from '../../../../src/core/model/content';

const option = (configId: string, category?: string): ConfigOption => ({
  type: 'select',
  configId,
  name: configId,
  currentValue: '',
  groups: [],
  ...(category !== undefined && { category }),
});

describe('the order of options', () => {
  const ids = (...options: ConfigOption[]): string =>
    besideModel(options)
      .map((each) => ('configId' in each ? each.configId : ''))
      .join(' ');

  it("is the agent's, with the options of the model beside it", () => {
    assert.equal(
      ids(option('m', 'mode'), option('model', 'model'), option('x'), option('s', 'speed'), option('c', 'model_config')),
      'm model s c x',
    );
    assert.equal(ids(option('s', 'speed'), option('a'), option('model', 'model')), 'a model s');
  });

  it('is unchanged when there is nothing to move', () => {
    const options = [option('s', 'speed'), option('m', 'mode')];
    assert.equal(besideModel(options), options);
  });
});
