"""What every request passes on its way to a route and back, a module each; app/service.py has the order."""
