/** What a list that the server filters, sorts and pages can be sorted by, and the states that it can be narrowed to. */
export type ListKind<Sort extends string, State extends string> = {
  /** The first one is the default. */
  sorts: readonly [Sort, ...Sort[]]
  states: readonly [State, ...State[]]
}

/** The chosen filter and order of such a list, as the address of its page has them. */
export type ListChoice<Sort extends string, State extends string> = {
  q: string
  state: State | null
  sort: Sort
  desc: boolean
}

/** The same as the list is requested. `limit` and `cursor` of a page are added by `pagedList`. */
export type ListQuestion<Sort extends string, State extends string> = {
  cloud: string | null
  q: string
  state: State | null
  sort: Sort
  desc: 'true' | 'false'
}

export const listQuestion = <Sort extends string, State extends string>(
  cloud: string | null,
  { q, state, sort, desc }: ListChoice<Sort, State>,
): ListQuestion<Sort, State> => ({ cloud, q: q.trim(), state, sort, desc: desc ? 'true' : 'false' })

export type SearchParams = Record<string, string | string[] | undefined>

/** Of a repeated search param the first value counts, as in the browser. */
const firstValue = (params: SearchParams, name: string): string => [params[name]].flat()[0] ?? ''

/** The choice in the search params of a page, on the server. */
export const listChoice = <Sort extends string, State extends string>(
  { sorts, states }: ListKind<Sort, State>,
  params: SearchParams,
): ListChoice<Sort, State> => ({
  q: firstValue(params, 'q'),
  state: states.find((state) => state === firstValue(params, 'state')) ?? null,
  sort: sorts.find((sort) => sort === firstValue(params, 'sort')) ?? sorts[0],
  desc: firstValue(params, 'desc') === 'true',
})
