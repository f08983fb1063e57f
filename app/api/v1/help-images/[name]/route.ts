import { helpImageParamsSchema } from '@/lib/schemas/api/help'
import { getRuntime } from '@/lib/server/context/runtime'
import { route } from '@/lib/server/http/route'
import { getHelpImage } from '@/lib/services/help/get-help-image'

export const dynamic = 'force-dynamic'

export const GET = route({ params: helpImageParamsSchema }, async ({ params }) => {
  const headers = { 'content-type': 'image/png', 'cache-control': 'no-store' }
  return new Response(await getHelpImage(getRuntime().root, params), { headers })
})
