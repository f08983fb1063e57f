type Page = { next: string | null }

/** Every page of a list, from the first to the last. */
export const readAllPages = async <List extends Page>(
  readPage: (cursor: string | null) => Promise<List>,
): Promise<List[]> => {
  const pages = [await readPage(null)]
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null)
    pages.push(await readPage(next))
  return pages
}
