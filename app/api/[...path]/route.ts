import { ServiceError } from '@/lib/server/errors/service-error'
import { route } from '@/lib/server/http/route'

const nothingHere = route({ admits: 'anyone' }, async ({ request }) => {
  throw new ServiceError('not_found', `There is nothing at ${new URL(request.url).pathname.slice(0, 200)}.`)
})

export const GET = nothingHere
export const POST = nothingHere
export const PUT = nothingHere
export const PATCH = nothingHere
export const DELETE = nothingHere
