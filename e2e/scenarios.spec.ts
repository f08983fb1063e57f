import { openFleetCloud } from './world/fleet-cloud'
import { pressByKeyboard, selectByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

const [T4_HOST, OTHER] = ['cmp-r2-05', 'cmp-r2-07']

test.describe('a cloud with two hosts', () => {
  test.use({ allowedConsoleErrors: [/409/] })

  test('A scenario is built with the keyboard, saved, compared, and planned from', async ({ page }) => {
    test.setTimeout(240_000)
    const cloud = await openFleetCloud([T4_HOST, OTHER], { isStill: true })
    try {
      await page.goto(`${cloud.url}/scenarios`)
      await expect(page.getByRole('heading', { name: 'No scenarios yet' })).toBeVisible()
      await expectGoodLooks(page)
      await pressByKeyboard(page, page.getByRole('link', { name: 'New scenario' }))
      const draft = page.getByRole('region', { name: 'Scenario A: New scenario' })
      await expect(draft.getByText('No steps yet.')).toBeVisible()

      await pressByKeyboard(page, draft.getByRole('button', { name: 'Add step' }))
      await selectByKeyboard(page, { select: draft.getByRole('combobox', { name: 'Change' }), value: 'type' })
      await selectByKeyboard(page, {
        select: draft.getByRole('combobox', { name: 'From' }),
        value: 'nvidia-319',
      })
      await selectByKeyboard(page, {
        select: draft.getByRole('combobox', { name: 'To' }),
        value: 'nvidia-320',
      })
      await pressByKeyboard(page, draft.getByRole('button', { name: 'Add step' }))
      await expect(draft.getByText('Change 1 card from T4-4C to T4-8C', { exact: true })).toBeVisible()
      const types = page.getByRole('table', { name: 'Result by vGPU type' })
      await expect(types.getByRole('row', { name: /^T4-8C .*\+2/ })).toBeVisible()
      await expect(page).toHaveURL(/steps=/)

      await draft.getByRole('button', { name: 'Add step' }).press('Enter')
      await draft.getByRole('combobox', { name: 'Card', exact: true }).selectOption('NVIDIA L40S')
      await draft.getByRole('combobox', { name: 'vGPU type' }).selectOption('L40S-12Q')
      await draft.getByLabel('Date', { exact: true }).fill('2030-01-15')
      await expectGoodLooks(page)
      await draft.getByRole('button', { name: 'Add step' }).press('Enter')
      await expect(
        draft.getByText('Add 1 host, 2 NVIDIA L40S each, as L40S-12Q', { exact: true }),
      ).toBeVisible()
      await expect(types.getByRole('row', { name: /^L40S-12Q .*\+8/ })).toBeVisible()
      await draft.getByText('Show order list').press('Enter')
      await expect(draft.getByText('- 2 x NVIDIA L40S')).toBeVisible()
      await page.reload()
      await expect(
        draft.getByText('Add 1 host, 2 NVIDIA L40S each, as L40S-12Q', { exact: true }),
      ).toBeVisible()

      await draft.getByRole('button', { name: 'Save' }).press('Enter')
      await page.getByRole('dialog').getByLabel('Name').fill('Q1 expansion')
      await page.keyboard.press('Enter')
      const saved = page.getByRole('region', { name: 'Scenario A: Q1 expansion' })
      await expect(saved.getByText(/saved by local-admin/)).toBeVisible()
      await expect(page).toHaveURL(/\?a=\d+$/)

      await page.getByRole('combobox', { name: 'B Scenario' }).selectOption('new')
      const other = page.getByRole('region', { name: 'Scenario B: New scenario' })
      await other.getByRole('button', { name: 'Add step' }).press('Enter')
      await other.getByRole('combobox', { name: 'Change' }).selectOption('remove')
      await other.getByRole('checkbox', { name: OTHER }).check()
      await other.getByRole('button', { name: 'Add step' }).press('Enter')
      await expect(other.getByText(`Remove ${OTHER}`, { exact: true })).toBeVisible()
      await expect(page.getByRole('table', { name: 'Value and effort' })).toBeVisible()
      await expectGoodLooks(page)

      await saved.getByRole('link', { name: 'Create change' }).press('Enter')
      await expect(page).toHaveURL(/\/changes\/new\/type\?gpus=cmp-r2-0.*type=nvidia-320/)
      await expect(page.getByRole('radio', { name: /T4-8C nvidia-320/ })).toBeChecked()
    } finally {
      await page.close()
      await cloud.stop()
    }
  })

  test('A save on top of the save of another person is refused, and the scenario can be reloaded', async ({
    page,
  }) => {
    test.setTimeout(240_000)
    const cloud = await openFleetCloud([T4_HOST, OTHER], { isStill: true })
    try {
      const steps = encodeURIComponent(JSON.stringify([{ do: 'remove', hosts: [OTHER] }]))
      await page.goto(`${cloud.url}/capacity/what-if?steps=${steps}`)
      await expect(page).toHaveURL(/\/scenarios\?a=new&steps=/)
      const draft = page.getByRole('region', { name: 'Scenario A: New scenario' })
      await expect(draft.getByText(`Remove ${OTHER}`, { exact: true })).toBeVisible()
      await draft.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Removal')
      await page.getByRole('dialog').getByRole('button', { name: 'Save scenario' }).click()
      const saved = page.getByRole('region', { name: 'Scenario A: Removal' })
      await expect(saved).toBeVisible()

      const id = new URL(page.url()).searchParams.get('a')
      const answer = await page.request.put(`${cloud.url}/api/v1/scenarios/${id}`, {
        data: { name: 'Removal of others', steps: [], version: 1 },
        headers: { origin: cloud.url },
      })
      expect(answer.status()).toBe(200)
      await saved.getByRole('button', { name: /^Remove/ }).click()
      await saved.getByRole('button', { name: 'Save' }).click()
      await expect(saved.getByRole('alert')).toContainText(
        /local-admin saved "Removal of others" at .*, after you opened it: reload the scenario/,
      )
      await expectGoodLooks(page)
      await saved.getByRole('button', { name: 'Reload scenario' }).click()
      const reloaded = page.getByRole('region', { name: 'Scenario A: Removal of others' })
      await expect(reloaded.getByText('No steps yet.')).toBeVisible()

      await reloaded.getByRole('button', { name: 'Delete Removal of others' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete scenario' }).click()
      await expect(page.getByRole('heading', { name: 'No scenarios yet' })).toBeVisible()
    } finally {
      await page.close()
      await cloud.stop()
    }
  })
})

test.describe('before the first round', () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource/] })

  test('Nothing can be calculated, and the page shows why', async ({ page, empty }) => {
    await page.goto(`${empty.url}/scenarios?a=new`)
    await expect(page.getByRole('heading', { name: 'OpenStack has not been read yet' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cloud settings' })).toBeVisible()
    await expectGoodLooks(page)
  })
})
