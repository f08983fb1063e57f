import { SAVED_PARAMS } from '@/lib/schemas/choices'

/** What a saved view keeps of an address, in one order, so that equal lists have equal texts. */
export const viewQuery = (params: URLSearchParams): string =>
  new URLSearchParams(
    SAVED_PARAMS.flatMap((name) =>
      params
        .getAll(name)
        .toSorted()
        .map((value) => [name, value]),
    ),
  ).toString()
