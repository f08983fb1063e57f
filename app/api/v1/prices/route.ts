import { addPriceSchema } from '@/lib/schemas/api/price-inputs'
import { cloudScopeSchema } from '@/lib/schemas/api/scope'
import { route } from '@/lib/server/http/route'
import { addPrice } from '@/lib/services/price/add-price'
import { listPrices } from '@/lib/services/price/list-prices'

export const dynamic = 'force-dynamic'

export const GET = route({ query: cloudScopeSchema }, ({ ctx, query }) => listPrices(ctx, query))

export const POST = route({ body: addPriceSchema, status: 201 }, ({ ctx, body }) => addPrice(ctx, { body }))
