import type { Page } from '@playwright/test'

const AT_ONCE = 30

/** Asks for an address over and over, as whoever is signed in on `page`, some at once, until it is stopped. */
export const keepAsking = async (page: Page, url: string) => {
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const seen = new Set<number>()
  let isOver = false
  const inTurn = async () => {
    while (!isOver) {
      const answer = await fetch(url, { headers: { cookie } })
      await answer.arrayBuffer()
      seen.add(answer.status)
    }
  }
  const all = Promise.all(Array.from({ length: AT_ONCE }, inTurn))
  return {
    /** Every status that came so far. */
    seen,
    stop: async (): Promise<void> => {
      isOver = true
      await all
    },
  }
}
