import { expect, type Page } from '@playwright/test'
import { seriousFindings } from './axe'

/** CSS pixels by which the page is wider than the window; nothing scrolls sideways at 0 or below. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

type Look = { name: string; colorScheme: 'light' | 'dark'; width: number; height: number }

const LOOKS: readonly Look[] = [
  { name: 'dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'narrow', colorScheme: 'light', width: 360, height: 780 },
  { name: 'light', colorScheme: 'light', width: 1440, height: 900 },
]

/**
 * Dark, narrow and light, one after the other on the current page, which costs a third of opening it for each: no serious
 * finding of axe, nothing scrolls sideways, and what `check` holds. Leaves the page light and wide.
 */
export const inEachLook = async (
  page: Page,
  check: () => Promise<void> = async () => undefined,
): Promise<void> => {
  for (const { name, colorScheme, width, height } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await check()
    expect(await seriousFindings(page), name).toEqual([])
    expect(await overflow(page), name).toBeLessThanOrEqual(0)
  }
}

/** Dark and light: no serious finding of axe. Leaves the page light. */
export const inBothThemes = async (page: Page): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await seriousFindings(page), colorScheme).toEqual([])
  }
}

/** Light and wide, dark and narrow: no serious finding of axe, and nothing scrolls sideways. Leaves the page light and wide. */
export const expectGoodLooks = async (page: Page): Promise<void> => {
  for (const [colorScheme, width] of [
    ['dark', 360],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    expect(await seriousFindings(page), colorScheme).toEqual([])
    expect(await overflow(page), colorScheme).toBeLessThanOrEqual(0)
  }
}
