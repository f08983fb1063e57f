import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const PROGRAM = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What the program leaves in the page's `globalThis`. Which impact a rule has is nowhere among what axe documents. */
type WithAxe = {
  axe: {
    run: (context: Document, options: RunOptions) => Promise<AxeResults>
    _audit: { rules: { id: string; impact: string }[] }
  }
}

/**
 * What axe finds on a page that is serious or critical, as "rule: where | where". Our pages hold no foreign frames, so axe
 * runs in the page itself, where it stays; rules whose findings are never as grave are not run, and only what is wrong is
 * described.
 */
export const seriousFindings = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(PROGRAM)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as WithAxe
    // A theme that has just been changed is drawn a frame later, and its colors may fade in.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isFading = () => document.getAnimations().some((animation) => animation instanceof CSSTransition)
    for (let frames = 0; frames < 2 || (isFading() && frames < 100); frames++) await frame()
    const isJudged = (impact: string | null | undefined) => impact === 'serious' || impact === 'critical'
    const notJudged = axe._audit.rules.filter(({ impact }) => !isJudged(impact))
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      rules: Object.fromEntries(notJudged.map(({ id }) => [id, { enabled: false }])),
    })
    return violations
      .filter(({ impact }) => isJudged(impact))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
  })
}
