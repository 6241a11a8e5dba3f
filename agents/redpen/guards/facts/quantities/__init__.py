"""Read numbers, dates, times, amounts and factors exactly."""
