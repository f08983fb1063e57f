import { priceListSchema } from '@/lib/schemas/api/price'
import type { AddPrice } from '@/lib/schemas/api/price-inputs'
import { planningApiPaths } from '@/lib/util/planning-paths'
import type { AdminApi } from './admin-api'

/** Euros per hour by card, and by vGPU type where it costs more than its share of the card. */
const PRICES: Readonly<Record<string, { card: string; types?: Record<string, string> }>> = {
  'NVIDIA Tesla M10': { card: '0.12' },
  'NVIDIA Tesla T4': { card: '0.42', types: { 'T4-1Q': '0.03', 'T4-4C': '0.12' } },
  'NVIDIA Tesla V100-PCIE-16GB': { card: '0.95' },
  'NVIDIA A2': { card: '0.36' },
  'NVIDIA A16': { card: '0.48' },
  'NVIDIA A40': { card: '1.20', types: { 'A40-4Q': '0.11' } },
  'NVIDIA A100-PCIE-40GB': { card: '2.60' },
  'NVIDIA L40S': { card: '1.75' },
  'NVIDIA H100 PCIe': { card: '3.90' },
}

/** Gives a demo without prices its price list. */
export const addDemoPrices = async ({ cloud, get, post }: AdminApi): Promise<void> => {
  const { versions, today } = priceListSchema.parse(
    await (await get(planningApiPaths.prices({ cloud }))).json(),
  )
  if (versions.length > 0) return
  const add = (price: Pick<AddPrice, 'model' | 'typeName' | 'amount'>) =>
    post(planningApiPaths.prices(), { cloud, currency: 'EUR', validFrom: today, ...price } satisfies AddPrice)
  for (const [model, { card, types = {} }] of Object.entries(PRICES)) {
    await add({ model, typeName: null, amount: card })
    for (const [typeName, amount] of Object.entries(types)) await add({ model, typeName, amount })
  }
}
