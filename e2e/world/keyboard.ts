import type { Locator, Page } from '@playwright/test'

const MAX_STOPS = 200

/** Presses Tab until the element has the focus, as a person without a mouse does. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor()
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} is not among the first ${MAX_STOPS} stops of the Tab key`)
}

/** Goes to a link or a button with Tab and presses Enter. */
export const pressByKeyboard = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Goes to a list of choices and down to the wanted one. */
export const selectByKeyboard = async (
  page: Page,
  { select, value }: { select: Locator; value: string },
): Promise<void> => {
  await tabTo(page, select)
  await page.keyboard.press('Home')
  for (let stops = 0; stops < MAX_STOPS && (await select.inputValue()) !== value; stops++)
    await page.keyboard.press('ArrowDown')
}

/** Enters a group of radio buttons and goes down to the wanted one. */
export const chooseByKeyboard = async (
  page: Page,
  { first, wanted }: { first: Locator; wanted: Locator },
): Promise<void> => {
  await tabTo(page, first)
  await page.keyboard.press('Space')
  for (let stops = 0; stops < MAX_STOPS && !(await wanted.isChecked()); stops++)
    await page.keyboard.press('ArrowDown')
}
