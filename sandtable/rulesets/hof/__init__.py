"""`hof`: Hail of Fire. Company-level battles of 1944-45: Order Points, Received Fire Points, and things unseen."""
