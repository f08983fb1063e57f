import { searchQuerySchema } from '@/lib/schemas/api/search'
import { route } from '@/lib/server/http/route'
import { searchFleet } from '@/lib/services/search/search-fleet'

export const dynamic = 'force-dynamic'

export const GET = route({ query: searchQuerySchema }, ({ ctx, query: { cloud, q } }) =>
  searchFleet(ctx, { cloud, text: q }),
)
