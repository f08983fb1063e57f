/** Id of the running build: on responses of the API, and on requests of pages, where the server sets it for app/layout. */
export const BUILD_HEADER = 'x-build-id'
