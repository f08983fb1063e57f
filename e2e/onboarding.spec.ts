import { inEachLook } from './world/looks'
import { expect, test } from './world/test'

test('An empty console lists the steps of the set-up, leads to them, and can hide them', async ({
  page,
  empty,
}) => {
  await page.goto(`${empty.url}/`)
  await expect(page.getByText('0 of 5 steps done')).toBeVisible()
  await inEachLook(page)
  await page.getByRole('link', { name: 'View instructions' }).click()
  await expect(page).toHaveURL(/\/help\/operating.*#connect-a-cloud$/)
  await page.goBack()
  await page.getByRole('button', { name: 'Dismiss checklist' }).click()
  await expect(page.getByText('Set up this console')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Add your first host' })).toBeVisible()
  await expect(page.getByText('Set up this console')).toHaveCount(0)
})
