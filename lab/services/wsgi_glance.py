from glance.common.wsgi_app import init_app

application = init_app()
