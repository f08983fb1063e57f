import { openFleetCloud } from './world/fleet-cloud'
import { pressByKeyboard, selectByKeyboard } from './world/keyboard'
import { expectGoodLooks } from './world/looks'
import { expect, test } from './world/test'

const [T4_HOST, OTHER] = ['cmp-r2-05', 'cmp-r2-07']

test('A change is tried with the keyboard, sent on by its address, and planned from there', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const cloud = await openFleetCloud([T4_HOST, OTHER], { isStill: true })
  try {
    await page.goto(`${cloud.url}/capacity/what-if`)
    await expect(page.getByText('The current state is shown.')).toBeVisible()
    const types = page.getByRole('table', { name: 'By vGPU type, before and after' })
    const before = await types.getByRole('row', { name: /^T4-4C / }).textContent()

    await selectByKeyboard(page, {
      select: page.getByRole('combobox', { name: 'From' }),
      value: 'nvidia-319',
    })
    await selectByKeyboard(page, { select: page.getByRole('combobox', { name: 'To' }), value: 'nvidia-320' })
    await pressByKeyboard(page, page.getByRole('button', { name: 'Add step' }))
    const tried = page.getByRole('region', { name: 'Scenario steps' })
    await expect(tried.getByText('1 card from T4-4C to T4-8C', { exact: true })).toBeVisible()
    await expect(types.getByRole('row', { name: /^T4-8C .*after.*\+/ })).toBeVisible()
    expect(await types.getByRole('row', { name: /^T4-4C / }).textContent()).not.toBe(before)
    await expect(page).toHaveURL(/steps=/)

    await selectByKeyboard(page, { select: page.getByRole('combobox', { name: 'Change' }), value: 'add' })
    await selectByKeyboard(page, { select: page.getByRole('combobox', { name: 'Like' }), value: OTHER })
    await pressByKeyboard(page, page.getByRole('button', { name: 'Add step' }))
    await expect(tried.getByText(`Add 1 host like ${OTHER}`, { exact: true })).toBeVisible()
    await tried.getByText('Show order list').press('Enter')
    await expect(tried.getByText(`1 host like ${OTHER}, each with:`)).toBeVisible()
    await page.reload()
    await expect(tried.getByText(`Add 1 host like ${OTHER}`, { exact: true })).toBeVisible()
    await expectGoodLooks(page)

    await tried
      .getByRole('button', { name: new RegExp(`^Remove ?: Add 1 host like ${OTHER}$`) })
      .press('Enter')
    await expect(tried.getByText(`Add 1 host like ${OTHER}`, { exact: true })).toBeHidden()
    await tried.getByRole('link', { name: 'Create change' }).press('Enter')
    await expect(page).toHaveURL(/\/changes\/new\/type\?gpus=cmp-r2-0.*type=nvidia-320/)
    await expect(page.getByRole('radio', { name: /T4-8C nvidia-320/ })).toBeChecked()
  } finally {
    await page.close()
    await cloud.stop()
  }
})

test.describe('before the first round', () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource/] })

  test('Nothing can be tried, and the page shows why', async ({ page, empty }) => {
    await page.goto(`${empty.url}/capacity/what-if`)
    await expect(page.getByRole('heading', { name: 'OpenStack has not been read yet' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cloud settings' })).toBeVisible()
    await expectGoodLooks(page)
  })
})
