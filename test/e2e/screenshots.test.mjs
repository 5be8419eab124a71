// The pictures of README and walkthrough. This is not a real test: it runs only with ACP_HOST_SCREENSHOTS=1, and fails when the tour in the
// pictures did not happen.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { demoTour } from '../harness/lib/tour.mjs';
import { copyWorkspace } from '../harness/lib/temp.mjs';
import { root } from '../harness/lib/paths.mjs';
import { writeSettings } from '../harness/lib/vscode.mjs';
import { theStage } from './stage.mjs';

if (process.env.ACP_HOST_SCREENSHOTS) {
  describe('the README’s pictures', () => {
    it('are taken', async () => {
      const { window, dir } = await theStage();
      writeSettings(dir, { 'workbench.colorTheme': 'Default Dark Modern' });
      await window.page.setViewportSize({ width: 1360, height: 940 });
      const picture = (name) => window.screenshot(join(root, 'media', name));
      const { missing } = await demoTour(window, copyWorkspace(), {
        prepare: () => window.command('View: Toggle Primary Side Bar Visibility'),
        onPermission: () => picture('permission.png'),
      });
      assert.deepEqual(missing, []);
      await picture('session.png');
    });
  });
}
