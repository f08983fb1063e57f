import { forecastScopeSchema } from '@/lib/schemas/api/forecast-inputs'
import { route } from '@/lib/server/http/route'
import { getForecast } from '@/lib/services/forecast/get-forecast'

export const dynamic = 'force-dynamic'

export const GET = route({ query: forecastScopeSchema }, ({ ctx, query }) => getForecast(ctx, query))
