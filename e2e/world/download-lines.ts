import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** Presses a button that downloads a CSV file, and reads its lines, the header first. */
export const downloadLines = async (page: Page, button: string): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
}
