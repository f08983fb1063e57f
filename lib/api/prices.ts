import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { PriceListDto } from '@/lib/schemas/api/price'
import type { AddPrice } from '@/lib/schemas/api/price-inputs'
import { planningApiPaths } from '@/lib/util/planning-paths'
import { requestJson } from './client'

type Scope = { cloud: string | null }

const priceKeys = {
  all: ['prices'] as const,
  list: ({ cloud }: Scope) => ['prices', { cloud }] as const,
}

export const priceListOptions = ({ cloud }: Scope) =>
  queryOptions({
    queryKey: priceKeys.list({ cloud }),
    queryFn: ({ signal }) => requestJson<PriceListDto>({ path: planningApiPaths.prices({ cloud }), signal }),
    refetchInterval: 60_000,
  })

export const addPriceOptions = () =>
  mutationOptions({
    mutationKey: ['prices', 'add'],
    mutationFn: (body: AddPrice) =>
      requestJson<PriceListDto>({ path: planningApiPaths.prices(), method: 'POST', body }),
    onSuccess: (_list, _body, _result, { client }) => client.invalidateQueries({ queryKey: priceKeys.all }),
  })
